package dev.paddock.executor.landlock.kernel;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Caches the files at the system's paths and, on request, checks them again at most once a second: fifty checks are a
 * tenth of a command's cost, but there is time for them while its sandbox is being set up.
 */
public final class CachingFileSystemView implements FileSystemView {
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Set<String> remembered;
    private final FileSystemView files;
    private final LongSupplier clock;
    private final Map<String, Optional<Entry>> entries = new ConcurrentHashMap<>();
    private long lookedAt;
    private int changes;

    /**
     * Checks each path once.
     *
     * @param clock monotonic nanoseconds
     */
    public CachingFileSystemView(Set<String> remembered, FileSystemView files, LongSupplier clock) {
        this.remembered = Set.copyOf(remembered);
        this.files = files;
        this.clock = clock;
        lookedAt = clock.getAsLong();
        look();
    }

    /**
     * Checks the paths again, if the last check is a second old.
     *
     * @return how many checks so far differed from the previous one
     */
    public synchronized int changes() {
        long now = clock.getAsLong();
        if (now - lookedAt >= LIFE_NANOS) {
            lookedAt = now;
            changes += look() ? 1 : 0;
        }
        return changes;
    }

    private boolean look() {
        boolean changed = false;
        for (String path : remembered) {
            Optional<Entry> now = files.at(path);
            changed |= !now.equals(entries.put(path, now));
        }
        return changed;
    }

    @Override
    public Optional<Entry> at(String path) {
        Optional<Entry> entry = entries.get(path);
        return entry == null ? files.at(path) : entry;
    }

    @Override
    public Path real(Path path) {
        return files.real(path);
    }
}
