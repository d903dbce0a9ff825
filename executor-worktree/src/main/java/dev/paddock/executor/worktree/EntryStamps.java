package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.FileSystems;
import dev.paddock.executor.worktree.git.GitDirectoryRules;
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
 * The entries of a git directory, each with its kind, inode and change time. The regular files among the
 * objects are left out, since git checks them by their hashes (see {@link ObjectDirectories}); so are git
 * directories inside.
 *
 * <p>In a directory whose change time is the same, every entry is the same file as before. Then only
 * the status of the directories, and of the files whose content matters, is read again. A directory's
 * own mode can change while the one around it stays the same.
 */
final class EntryStamps {
    private static final int ABSENT = 0;

    /** The mode of a directory that everybody could write to already, for all that is known. */
    private static final int UNKNOWN = ~0;

    /** The stamps of no git directory. */
    static final EntryStamps NONE = new EntryStamps(ABSENT, Map.of(), Set.of(), List.of(), Set.of(), Set.of());

    private static final FileStatus UNREADABLE = new FileStatus(0, -2, 0, 0, 0, 0, 0, 0);
    private static final Path ITSELF = Path.of("");
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_WRITE = 002;

    /** The mode of the git directory itself. */
    private final int mode;

    private final Map<Path, FileStatus> stamps;
    private final Set<Path> unreadable;
    private final List<Listed> directories;
    private final Set<Path> nested;
    private final Set<Path> undated;

    private EntryStamps(
            int mode,
            Map<Path, FileStatus> stamps,
            Set<Path> unreadable,
            List<Listed> directories,
            Set<Path> nested,
            Set<Path> undated) {
        this.mode = mode;
        this.stamps = stamps;
        this.unreadable = unreadable;
        this.directories = directories;
        this.nested = nested;
        this.undated = undated;
    }

    /**
     * A directory, and those of its files whose content matters.
     *
     * @param files absolute paths, with their stamps
     */
    private record Listed(Path path, CachedDirectory entries, Map<Path, FileStatus> files) {

        Listed(Path path, CachedDirectory entries) {
            this(path, entries, new LinkedHashMap<>());
        }

        private boolean isStill(DirectoryCache cache) {
            return cache.at(path) == entries
                    && files.entrySet().stream()
                            .allMatch(file -> file.getValue().equals(stamp(file.getKey())));
        }
    }

    /**
     * Returns the stamps by path from the git directory, parents before children; those of
     * directories are without size and change time.
     */
    Map<Path, FileStatus> stamps() {
        return stamps;
    }

    /**
     * Returns whether an entry that is no directory has not changed since before a time. Objects are left
     * out.
     *
     * @param since in milliseconds since 1970
     */
    boolean hasOlderThan(long since) {
        return stamps.values().stream().anyMatch(stamp -> !stamp.isDirectory() && stamp.isSettledAt(since));
    }

    /**
     * Returns the files whose content matters and can change while the stamp stays the same: the file system does not
     * date every write, or the last change lies within the same tick of the clock.
     */
    Set<Path> undated() {
        return undated;
    }

    /** Returns the directories that could not be listed, by absolute path. */
    Set<Path> unreadable() {
        return unreadable;
    }

    /**
     * Returns the directories, the git directory itself included, to which the group or others may
     * write now and could not before: who may write there can plant what git runs. A new directory
     * may be its group's, as a user's umask makes it.
     *
     * @return the bits of the mode that are new, by path from the git directory, which is the empty path
     */
    Map<Path, Integer> openedSince(EntryStamps before) {
        Map<Path, Integer> opened = new TreeMap<>();
        put(opened, ITSELF, before.mode, mode);
        stamps.forEach((path, status) -> {
            FileStatus earlier = before.stamps.get(path);
            if (status.isDirectory()) {
                put(opened, path, earlier != null && earlier.isDirectory() ? earlier.mode() : ABSENT, status.mode());
            }
        });
        return opened;
    }

    private static void put(Map<Path, Integer> opened, Path directory, int before, int now) {
        int bits = now & ~(before == ABSENT ? GROUP_WRITES : before) & (GROUP_WRITES | OTHERS_WRITE);
        if (bits != 0) {
            opened.put(directory, bits);
        }
    }

    /** Returns the stamps that another session has recorded. */
    static EntryStamps recorded(Map<Path, FileStatus> stamps) {
        return new EntryStamps(UNKNOWN, stamps, Set.of(), List.of(), Set.of(), Set.of());
    }

    /**
     * Reads the entries of a git directory.
     *
     * @param nested the git directories inside it
     * @return this very object if nothing has changed: every later change of it would show
     */
    EntryStamps next(Path gitDirectory, Set<Path> nested, GitDirectoryRules rules, DirectoryCache cache) {
        if (undated.isEmpty()
                && !directories.isEmpty()
                && this.nested.equals(nested)
                && directories.stream().allMatch(directory -> directory.isStill(cache))) {
            return this;
        }
        return new Reader(gitDirectory, nested, rules, cache).read();
    }

    private static FileStatus stamp(Path entry) {
        try {
            return FileStatus.of(entry).orElse(UNREADABLE);
        } catch (IOException fault) {
            return UNREADABLE;
        }
    }

    private static final class Reader {
        private final Path gitDirectory;
        private final Set<Path> nested;
        private final GitDirectoryRules rules;
        private final DirectoryCache cache;
        private final Map<Path, FileStatus> stamps = new LinkedHashMap<>();
        private final Set<Path> unreadable = new HashSet<>();
        private final List<Listed> directories = new ArrayList<>();
        private final Set<Path> undated = new HashSet<>();
        private final boolean dated;

        Reader(Path gitDirectory, Set<Path> nested, GitDirectoryRules rules, DirectoryCache cache) {
            this.gitDirectory = gitDirectory;
            this.nested = nested;
            this.rules = rules;
            this.cache = cache;
            this.dated = FileSystems.dateMappedWrites(gitDirectory);
        }

        EntryStamps read() {
            int mode = stamp(gitDirectory).mode();
            list(gitDirectory);
            return new EntryStamps(mode, stamps, unreadable, directories, Set.copyOf(nested), undated);
        }

        private void list(Path directory) {
            CachedDirectory entries = cache.at(directory);
            Listed listed = new Listed(directory, entries);
            directories.add(listed);
            for (Path entry : ObjectDirectories.listed(gitDirectory.relativize(directory), entries)) {
                if (!nested.contains(entry)) {
                    read(entry, listed);
                }
            }
            if (!entries.isReadable()) {
                unreadable.add(directory);
            }
        }

        private void read(Path entry, Listed listed) {
            Path relative = gitDirectory.relativize(entry);
            long taken = System.currentTimeMillis();
            Optional<FileStatus> read;
            try {
                read = FileStatus.of(entry);
            } catch (IOException fault) {
                read = Optional.of(UNREADABLE);
            }
            if (read.isEmpty()) {
                return; // a live command has removed it
            }
            FileStatus status = read.get();
            if (!status.isDirectory()) {
                stamps.put(relative, status);
                if (rules.judgesContent(relative)) {
                    listed.files().put(entry, status);
                    if (!dated || !status.isSettledAt(taken)) {
                        undated.add(relative);
                    }
                }
                return;
            }
            stamps.put(relative, status.asEntry());
            list(entry);
        }
    }
}
