package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Caches the entries of directories, and rereads a directory only if its change time differs: every creation, removal,
 * renaming or replacement of an entry changes it. Between two calls of {@link #refresh} each directory is examined
 * once.
 *
 * <p>Not thread-safe.
 */
public final class DirectoryCache {

    /** A worktree rarely has more relevant directories; others are read each time. */
    private static final int MAX_KNOWN = 100_000;

    private final Map<Path, Examined> known = new HashMap<>();
    private final DirectoryReader reader = DirectoryReader.create();
    private Consumer<Path> observer = path -> {};
    private long moment;

    private record Examined(CachedDirectory directory, long moment) {}

    /**
     * Sets a callback for tests, which change the tree at that moment.
     *
     * @param callback receives each path whose status was just read, before any of its entries is
     */
    public void observe(Consumer<Path> callback) {
        observer = callback;
    }

    /** Forces every directory to be examined again at its next use. */
    public void refresh() {
        moment++;
        if (known.size() > MAX_KNOWN) {
            known.clear();
        }
    }

    /**
     * Forgets every directory. Call it before and after an examination during which a command is live: if the command
     * replaces a parent directory between two system calls, entries of another directory are read, and the change time
     * stays.
     */
    public void forget() {
        moment++;
        known.clear();
    }

    /**
     * Returns the status of a path, and its entries if it is a directory. Throws nothing: a path that cannot be read is
     * an unreadable directory.
     *
     * @param path an absolute path
     * @return the same object as long as the entries are the same
     */
    public CachedDirectory at(Path path) {
        Examined before = known.get(path);
        if (before != null && before.moment == moment) {
            return before.directory;
        }
        CachedDirectory now = examined(path, before == null ? null : before.directory);
        known.put(path, new Examined(now, moment));
        observer.accept(path);
        return now;
    }

    private CachedDirectory examined(Path path, @Nullable CachedDirectory before) {
        long taken = System.currentTimeMillis();
        try {
            Optional<FileStatus> status = FileStatus.of(path);
            return before != null && before.isStill(status) ? before : new CachedDirectory(path, status, taken, reader);
        } catch (IOException fault) {
            return CachedDirectory.unreadable(path, reader);
        }
    }
}
