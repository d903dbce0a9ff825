package dev.paddock.executor.landlock.kernel;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers the system's paths and looks at them again when it is asked to, once a second at most: fifty looks for each command
 * are a tenth of what the command costs, but there is time for them while it is made ready.
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
     * Looks at each path once.
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
     * Looks again, if the last look is a second old.
     *
     * @return how many looks so far have found something else than the one before
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
