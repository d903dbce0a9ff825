package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.worktree.files.FileSystems;
import dev.paddock.executor.worktree.files.Inotify;
import dev.paddock.executor.worktree.files.QueuedChanges;
import dev.paddock.executor.worktree.files.TreeSearch;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The directories of a tree that the kernel watches, with the paths by which they were reached, as {@link
 * dev.paddock.executor.path.PathBytes bytes}. Not thread-safe.
 */
final class WatchedDirectories implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(WatchedDirectories.class);

    private final Path root;
    private final Optional<Inotify> events;

    /** The paths of each: several if a live command moved it, or replaced a parent by a link during the search. */
    private final Map<Integer, Set<String>> paths = new HashMap<>();

    private boolean complete;

    /** Whether the log says that a directory could not be watched. */
    private boolean warned;

    /**
     * Watches nothing yet.
     *
     * @param root the tree, for messages
     * @param events the kernel's events, closed with this object; without them nothing is ever watched
     */
    WatchedDirectories(Path root, Optional<Inotify> events) {
        this.root = root;
        this.events = events;
    }

    /** Returns whether the kernel reports every change in the directories added since the last {@link #renew}. */
    boolean isComplete() {
        return complete;
    }

    /** Discards the events before a search of the whole tree: nobody read them while it was only partly watched. */
    void renew() {
        complete = events.isPresent() && isDrained(events.get());
    }

    private boolean isDrained(Inotify queue) {
        try {
            queue.read(event -> {
                if (event.kind() == Inotify.Kind.UNWATCHED) {
                    paths.remove(event.watch());
                }
            });
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }

    /**
     * Watches a directory. If that fails, or another machine, whose changes the kernel does not report, may change the
     * directory, the watch is incomplete until the tree is searched again.
     */
    void add(String directory) {
        if (!complete) {
            return;
        }
        try {
            int watch = events.orElseThrow().watch(directory);
            Set<String> alone = Set.of(directory);
            Set<String> known = paths.put(watch, alone);
            if (known != null && !known.equals(alone)) {
                paths.put(watch, withExisting(known, directory));
            }
            complete = FileSystems.areOfThisKernel(directory);
        } catch (NoSuchFileException vanished) {
            LOG.log(Level.TRACE, "{0} is gone already", directory);
        } catch (IOException fault) {
            complete = false;
            LOG.log(
                    warned ? Level.DEBUG : Level.WARNING,
                    "Not all of {0} can be watched ({1}), so that it is searched after each command; raise "
                            + "fs.inotify.max_user_watches to make this quick",
                    root,
                    FileFaults.reason(fault));
            warned = true;
        }
    }

    private static Set<String> withExisting(Set<String> known, String directory) {
        Set<String> all = new HashSet<>(known);
        all.removeIf(path -> !Files.isDirectory(TreeSearch.path(path), LinkOption.NOFOLLOW_LINKS));
        all.add(directory);
        return Set.copyOf(all);
    }

    /** Returns the paths of a directory by its watch's number; none if it is no longer watched. */
    Set<String> paths(int watch) {
        return paths.getOrDefault(watch, Set.of());
    }

    /**
     * Reads the queued events.
     *
     * @return whether none was lost; if one was, the tree must be searched
     */
    boolean read(QueuedChanges changes) {
        if (events.isEmpty()) {
            return true;
        }
        try {
            events.get().read(changes);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    "The watch of {0} cannot be read; it is searched: {1}",
                    root,
                    FileFaults.reason(fault));
            return false;
        }
        if (changes.isLost()) {
            LOG.log(Level.DEBUG, "The watch of {0} has lost events; it is searched", root);
        }
        return !changes.isLost();
    }

    /** Forgets directories whose watches have ended. */
    void remove(Iterable<Integer> watches) {
        watches.forEach(paths::remove);
    }

    @Override
    public void close() {
        events.ifPresent(Inotify::close);
    }
}
