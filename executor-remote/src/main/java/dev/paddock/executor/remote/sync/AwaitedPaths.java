package dev.paddock.executor.remote.sync;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The paths that a pull has yet to write to the host, for messages. Thread-safe. */
final class AwaitedPaths {
    private static final int MAX_NAMED = 3;

    private final TreeSet<String> paths = new TreeSet<>();

    synchronized void set(Collection<String> all) {
        paths.clear();
        paths.addAll(all);
    }

    synchronized void arrived(String path) {
        paths.remove(path);
    }

    /** Names some and counts the others; empty if there are none. */
    synchronized Optional<String> describe() {
        if (paths.isEmpty()) {
            return Optional.empty();
        }
        List<String> first = paths.stream().limit(MAX_NAMED).toList();
        String named =
                first.stream().map(path -> "'" + ShownPath.of(path) + "'").collect(Collectors.joining(", "));
        int others = paths.size() - first.size();
        return Optional.of(others == 0 ? named : named + " and " + others + " more");
    }
}
