package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.git.GitNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The entries of a git directory, each with its status as of its directory's last change. Omits regular files among the
 * objects, since git checks them by their hashes, and nested git directories. A status does not prove the content of a
 * file: where it matters, a {@link dev.paddock.executor.worktree.files.Fingerprint} does.
 */
final class GitEntries {
    static final GitEntries NONE = recorded(Map.of());

    private static final FileStatus UNREADABLE = new FileStatus(0, -2, -2, 0, 0, 0, 0, 0, 0);
    private static final Path ITSELF = Path.of("");
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_WRITE = 002;
    private static final int SET_GROUP_ID = 02000;

    private final Map<Path, FileStatus> all;
    private final Set<Path> unreadable;

    /** The git directory and its directories. */
    private final List<CachedDirectory> directories;

    private final Set<Path> nested;

    private GitEntries(
            Map<Path, FileStatus> all, Set<Path> unreadable, List<CachedDirectory> directories, Set<Path> nested) {
        this.all = all;
        this.unreadable = unreadable;
        this.directories = directories;
        this.nested = nested;
    }

    /**
     * Returns the entries by path from the git directory, parents before children; directories are without size and
     * change time.
     */
    Map<Path, FileStatus> all() {
        return all;
    }

    /**
     * Returns whether any entry other than a directory or an object is unchanged since before a time.
     *
     * @param since in milliseconds since 1970
     */
    boolean hasOlderThan(long since) {
        return all.values().stream().anyMatch(entry -> !entry.isDirectory() && entry.isSettledAt(since));
    }

    /** Returns the symbolic links, by path from the git directory. */
    List<Path> links() {
        return all.entrySet().stream()
                .filter(entry -> entry.getValue().isLink())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns the directories that could not be listed, by absolute path. */
    Set<Path> unreadable() {
        return unreadable;
    }

    /**
     * Returns the directories, including the git directory, that the group or others may newly write to: they could
     * plant programs that git runs. A new directory may be its group's, as a user's umask makes it, if that is the
     * JVM's or its parent directory's.
     *
     * @return the bits of the mode that are new, by path from the git directory, which is the empty path
     */
    Map<Path, Integer> openedSince(GitEntries before) {
        Map<Path, Integer> opened = new TreeMap<>();
        if (before == NONE || before.itself().isPresent()) { // else another session recorded it, without that status
            itself().ifPresent(now -> put(opened, ITSELF, before.itself(), now));
        }
        all.forEach((path, status) -> {
            if (status.isDirectory()) {
                put(opened, path, Optional.ofNullable(before.all.get(path)).filter(FileStatus::isDirectory), status);
            }
        });
        return opened;
    }

    private Optional<FileStatus> itself() {
        return directories.isEmpty() ? Optional.empty() : directories.getFirst().status();
    }

    private void put(Map<Path, Integer> opened, Path directory, Optional<FileStatus> before, FileStatus now) {
        boolean regrouped = now.isWritableToOtherGroup()
                && before.or(() -> above(directory))
                        .filter(status -> status.group() == now.group())
                        .isEmpty();
        int allowed = before.map(FileStatus::mode).orElse(GROUP_WRITES) & ~(regrouped ? GROUP_WRITES : 0);
        int bits = now.mode() & ~allowed & (GROUP_WRITES | OTHERS_WRITE);
        if (bits != 0) {
            opened.put(directory, bits | (regrouped ? now.mode() & SET_GROUP_ID : 0));
        }
    }

    private Optional<FileStatus> above(Path directory) {
        Path parent = directory.getParent();
        if (directory.equals(ITSELF)) {
            return status(Pinned.parentOf(directories.getFirst().path()));
        }
        return parent == null ? itself() : Optional.ofNullable(all.get(parent));
    }

    static GitEntries recorded(Map<Path, FileStatus> all) {
        return new GitEntries(all, Set.of(), List.of(), Set.of());
    }

    /**
     * Lists a git directory.
     *
     * @param nested the git directories inside it
     * @return this object if all directories in it are unchanged
     */
    GitEntries next(Path gitDirectory, Set<Path> nested, DirectoryCache cache) {
        if (!directories.isEmpty()
                && this.nested.equals(nested)
                && directories.stream().allMatch(directory -> cache.at(directory.path()) == directory)) {
            return this;
        }
        GitEntries listing =
                new GitEntries(new LinkedHashMap<>(), new HashSet<>(), new ArrayList<>(), Set.copyOf(nested));
        listing.list(gitDirectory, gitDirectory, cache);
        return listing;
    }

    private void list(Path gitDirectory, Path directory, DirectoryCache cache) {
        CachedDirectory entries = cache.at(directory);
        directories.add(entries);
        for (Path entry : judged(gitDirectory.relativize(directory), entries)) {
            Optional<FileStatus> status = nested.contains(entry) ? Optional.empty() : status(entry);
            if (status.filter(FileStatus::isDirectory).isPresent()) {
                all.put(gitDirectory.relativize(entry), status.get().asEntry());
                list(gitDirectory, entry, cache);
            } else {
                // none if a live command has removed it
                status.ifPresent(file -> all.put(gitDirectory.relativize(entry), file));
            }
        }
        if (!entries.isReadable()) {
            unreadable.add(directory);
        }
    }

    /**
     * Returns the entries to judge: all, except among the objects, of which there may be millions. There, below each
     * entry of {@code objects} but {@code info}, only two kinds are judged: entries that are not regular files, since
     * git follows a link and blocks on a pipe; and those that can make git take the directory for a repository.
     */
    private static List<Path> judged(Path relative, CachedDirectory directory) {
        boolean hasObjects = relative.getNameCount() >= 2
                && GitNames.is(PathBytes.of(relative.getName(0)), "objects")
                && !GitNames.is(PathBytes.of(relative.getName(1)), "info");
        return hasObjects ? directory.irregular(GitNames.INITIALS_OF_PARTS, GitNames::isPart) : directory.children();
    }

    private static Optional<FileStatus> status(Path entry) {
        try {
            return FileStatus.of(entry);
        } catch (IOException fault) {
            return Optional.of(UNREADABLE);
        }
    }
}
