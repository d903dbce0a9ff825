package dev.paddock.executor.landlock;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the system's paths once a second at most: fifty looks for each command are a tenth of what the command costs, and
 * nobody but the machine's administrator changes what is there.
 */
final class RememberingPlaces implements Places {
    private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Set<String> remembered;
    private final Places places;
    private final Map<String, Sight> sights = new ConcurrentHashMap<>();

    private record Sight(Optional<Place> place, long at) {}

    RememberingPlaces(Set<String> remembered, Places places) {
        this.remembered = Set.copyOf(remembered);
        this.places = places;
    }

    @Override
    public Optional<Place> at(String path) {
        if (!remembered.contains(path)) {
            return places.at(path);
        }
        long now = System.nanoTime();
        Sight sight = sights.get(path);
        if (sight == null || now - sight.at >= LIFE_NANOS) {
            sight = new Sight(places.at(path), now);
            sights.put(path, sight);
        }
        return sight.place;
    }

    @Override
    public Path real(Path path) {
        return places.real(path);
    }
}
