package dev.paddock.executor.landlock.kernel;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Caches the files at the system's paths and, on request, checks them again at most once a second:
 * fifty checks for each command are a tenth of the command's cost, but there is time for them while
 * its sandbox is being set up.
 */
public final class CachingFileSystemView implements FileSystemView {
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Set<String> remembered;
    private final FileSystemView places;
    private final LongSupplier clock;
    private final Map<String, Optional<Place>> sights = new ConcurrentHashMap<>();
    private long lookedAt;
    private int changes;

    /**
     * Checks each path once.
     *
     * @param clock nanoseconds that only grow
     */
    public CachingFileSystemView(Set<String> remembered, FileSystemView places, LongSupplier clock) {
        this.remembered = Set.copyOf(remembered);
        this.places = places;
        this.clock = clock;
        lookedAt = clock.getAsLong();
        look();
    }

    /**
     * Checks the paths again, if the last check is a second old.
     *
     * @return how many checks so far have found another result than the one before
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
            Optional<Place> now = places.at(path);
            changed |= !now.equals(sights.put(path, now));
        }
        return changed;
    }

    @Override
    public Optional<Place> at(String path) {
        Optional<Place> sight = sights.get(path);
        return sight == null ? places.at(path) : sight;
    }

    @Override
    public Path real(Path path) {
        return places.real(path);
    }
}
