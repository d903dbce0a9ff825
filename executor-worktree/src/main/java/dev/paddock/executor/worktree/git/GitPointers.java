package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the files with which parts of a repository name each other, as git's setup.c does. */
final class GitPointers {
    private static final String PREFIX = "gitdir: ";

    /** The kernel's limit for a path. */
    private static final int MAX_PATH_LENGTH = 4095;

    /** The contents that git's {@code validate_headref} accepts; it ignores trailing text. */
    private static final Pattern HEAD = Pattern.compile("(?s)ref:[ \\t\\r\\n]*refs/.*|[0-9a-fA-F]{40}.*");

    private GitPointers() {}

    /** Returns the directory that a {@code .git} file names, as git resolves it. */
    static Optional<Path> gitFile(Path file) {
        return SmallFile.read(file)
                .filter(content -> content.startsWith(PREFIX))
                .map(content -> line(content.substring(PREFIX.length())))
                .flatMap(name -> resolve(file.resolveSibling(""), name));
    }

    /** Returns the directory that {@code commondir} names; empty if it does not exist or is unusable. */
    static Optional<Path> commonDirectory(Path gitDirectory) {
        return SmallFile.read(gitDirectory.resolve("commondir")).flatMap(name -> resolve(gitDirectory, line(name)));
    }

    /** Returns the {@code .git} file that a linked worktree's record names. */
    static Optional<Path> recordedGitFile(Path gitDirectory) {
        return SmallFile.read(gitDirectory.resolve("gitdir")).flatMap(name -> resolve(gitDirectory, line(name)));
    }

    /** Returns the directory that {@code core.worktree} names. */
    static Optional<Path> recordedWorktree(Path gitDirectory) {
        return setting(gitDirectory, "core.worktree").flatMap(name -> resolve(gitDirectory, name));
    }

    /** Returns whether a repository has no worktree of its own: {@code core.worktree} makes git refuse it. */
    static boolean isBare(Path gitDirectory) {
        return setting(gitDirectory, "core.bare").filter("true"::equals).isPresent();
    }

    /** Returns a setting of the configuration in a git directory. */
    static Optional<String> setting(Path gitDirectory, String name) {
        return SmallFile.read(gitDirectory.resolve("config"))
                .flatMap(GitConfiguration::parse)
                .flatMap(configuration -> configuration.last(name));
    }

    /** Returns the path behind all links; empty if nothing is there. */
    static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    static Optional<Path> resolve(Path directory, String name) {
        return name.isEmpty() || name.length() > MAX_PATH_LENGTH
                ? Optional.empty()
                : PathBytes.path(name).map(directory::resolve);
    }

    /** Returns the content without the line feeds and carriage returns at its end. */
    private static String line(String content) {
        int end = content.length();
        while (end > 0 && (content.charAt(end - 1) == '\n' || content.charAt(end - 1) == '\r')) {
            end--;
        }
        return content.substring(0, end);
    }

    /**
     * Returns whether a directory is or may be a git directory: {@code HEAD} is valid or cannot be
     * judged, and {@code commondir}, or {@code objects} and {@code refs}, exist in any form.
     */
    static boolean isGitDirectory(Path directory) {
        return mayBeHead(directory.resolve("HEAD")) && hasParts(directory);
    }

    /** Returns whether a directory has the entries of a git directory, whatever they contain. */
    static boolean hasLayout(Path directory) {
        return exists(directory.resolve("HEAD")) && hasParts(directory);
    }

    private static boolean hasParts(Path directory) {
        return exists(directory.resolve("commondir"))
                || (exists(directory.resolve("objects")) && exists(directory.resolve("refs")));
    }

    static boolean exists(Path path) {
        return !Files.notExists(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean mayBeHead(Path head) {
        return switch (EntryState.of(head).kind()) {
            case ABSENT, DIRECTORY -> false;
            case LINK, SPECIAL, UNREADABLE -> true;
            case FILE ->
                SmallFile.read(head)
                        .map(content -> HEAD.matcher(content).matches())
                        .orElse(true);
        };
    }
}
