package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.NameSkeleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * The files of a worktree that git and Git LFS open by name. Only a regular file is allowed there, or a directory,
 * which git ignores: opening a pipe blocks until somebody writes to it.
 */
public final class FilesReadByGit {
    private static final Set<String> NAMES =
            Set.of(".gitignore", ".gitattributes", ".gitmodules", ".mailmap", ".lfsconfig");

    private FilesReadByGit() {}

    /**
     * Returns whether git opens a file of this name, in the root of a worktree or in any of its directories.
     *
     * @param name its {@linkplain PathBytes bytes}
     */
    public static boolean isNamed(String name) {
        boolean mayBe = name.startsWith(".") || !NameSkeleton.isAscii(name);
        return mayBe && NAMES.contains(NameSkeleton.ofBytes(name));
    }

    /**
     * Describes what git finds behind an entry, if that is not a regular file or a directory: different things have
     * different texts.
     */
    public static Optional<String> irregularity(Path entry) {
        return switch (EntryState.of(entry).kind()) {
            case SPECIAL -> Optional.of("neither a file nor a directory");
            case LINK -> Optional.of("a link to '" + target(entry) + "', which is " + behind(entry));
            case FILE, DIRECTORY, ABSENT, UNREADABLE -> Optional.empty();
        };
    }

    /**
     * Judges an irregular entry that a command has created. Git before 2.32 follows a link, and still does so to {@code
     * .gitmodules}.
     *
     * @return why it may not stay, as a clause; empty if it is a link that stays in the worktree, and opening it does
     *     not block
     */
    public static Optional<String> fault(Path entry, Territory territory) {
        return switch (EntryState.of(entry).kind()) {
            case SPECIAL -> Optional.of("git opens it, and would wait there for a program of the command's");
            case LINK ->
                real(entry)
                                .filter(territory::contains)
                                .filter(FilesReadByGit::isHarmless)
                                .isPresent()
                        ? Optional.empty()
                        : Optional.of("git opens it, and the link leads to no file of the worktree");
            case FILE, DIRECTORY, ABSENT, UNREADABLE -> Optional.empty();
        };
    }

    /** Returns the target of a link in the territory, if opening it may block. */
    public static Optional<Path> specialBehind(Path link, Territory territory) {
        return real(link)
                .filter(territory::contains)
                .filter(file -> EntryState.of(file).is(EntryState.Kind.SPECIAL));
    }

    private static String target(Path link) {
        try {
            return PathBytes.of(Files.readSymbolicLink(link));
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static String behind(Path link) {
        return real(link)
                .map(file -> PathBytes.of(file) + " " + EntryState.of(file).kind())
                .orElse("nothing");
    }

    private static boolean isHarmless(Path file) {
        return switch (EntryState.of(file).kind()) {
            case FILE, DIRECTORY, ABSENT -> true;
            case LINK, SPECIAL, UNREADABLE -> false;
        };
    }

    /** Returns the path behind a link; for a dangling one, the path of its missing target. */
    private static Optional<Path> real(Path link) {
        return GitPointers.real(link).or(() -> unmade(link));
    }

    private static Optional<Path> unmade(Path link) {
        try {
            Path target = link.resolveSibling(Files.readSymbolicLink(link));
            Path parent = target.getParent();
            Path name = target.getFileName();
            return parent == null || name == null
                    ? Optional.empty()
                    : Optional.of(parent.toRealPath().resolve(name));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
