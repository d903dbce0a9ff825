package dev.paddock.executor.worktree.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Collects the events of an {@link Inotify} and delivers each entry once, in its final state. A command that renames a
 * directory constantly queues thousands of events, each of which would trigger a search.
 */
public final class QueuedChanges implements Consumer<Inotify.Event> {
    private final Map<Integer, Map<String, Inotify.Kind>> changes = new LinkedHashMap<>();
    private final List<Integer> unwatched = new ArrayList<>();
    private boolean lost;

    @Override
    public void accept(Inotify.Event event) {
        switch (event.kind()) {
            case OVERFLOW -> lost = true;
            case UNWATCHED -> unwatched.add(event.watch());
            default -> {
                if (!event.name().isEmpty()) { // else a directory's own mode
                    changes.computeIfAbsent(event.watch(), watch -> new LinkedHashMap<>())
                            .merge(event.name(), event.kind(), QueuedChanges::stronger);
                }
            }
        }
    }

    /** A removal implies all effects of a creation, and a creation those of a change. */
    private static Inotify.Kind stronger(Inotify.Kind one, Inotify.Kind other) {
        if (one == Inotify.Kind.REMOVED || other == Inotify.Kind.REMOVED) {
            return Inotify.Kind.REMOVED;
        }
        return one == Inotify.Kind.CREATED ? one : other;
    }

    /** Returns whether the kernel has dropped events. */
    public boolean isLost() {
        return lost;
    }

    /** Returns the watches whose directories are gone. */
    public List<Integer> unwatched() {
        return unwatched;
    }

    /**
     * Passes on each changed entry.
     *
     * @param sink takes one event, of the kind with the most consequences, for all of an entry
     */
    public void forEach(Consumer<Inotify.Event> sink) {
        changes.forEach(
                (watch, names) -> names.forEach((name, kind) -> sink.accept(new Inotify.Event(watch, kind, name))));
    }
}
