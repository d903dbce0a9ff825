package dev.paddock.executor.sandbox.worktree;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;

import dev.paddock.executor.process.posix.LibC;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which directories of a worktree are repositories without repeated walks of the tree: it
 * walks the tree once, and watches it from then on. If the kernel's limit on watches does not
 * suffice, it walks the tree each time after all.
 *
 * <p>Not safe for use by several threads; the guard holds its lock.
 */
final class RepositoryWatch implements AutoCloseable {
    private static final Logger LOG = System.getLogger(RepositoryWatch.class.getName());
    private static final Path DOT_GIT = Path.of(".git");
    private static final Path HEAD = Path.of("HEAD");

    /**
     * How long to wait for the event of the watch marker; on a slower machine the tree is walked
     * instead.
     */
    private static final long FLUSH_SECONDS = 5;

    private final Path root;
    private final Path markers;
    private final WatchService service;
    private final Map<WatchKey, Path> watched = new HashMap<>();
    private final Set<Path> repositories = new TreeSet<>();

    /** Directories that cannot be listed, with their inode and change time. */
    private final Map<Path, String> hidden = new TreeMap<>();

    /** Those of them that were so before the commands that are running now. */
    private Map<Path, String> acceptedHidden = Map.of();

    private String rootIdentity = "";
    private boolean complete;
    private long markersWritten;

    /**
     * Walks a worktree and watches it.
     *
     * @param root the worktree
     * @param markers an empty directory of the guard's for watch markers, outside the worktree
     */
    RepositoryWatch(Path root, Path markers) throws IOException {
        // Elsewhere the JDK's watch service polls every few seconds: walking the tree is quicker.
        this(root, markers, LibC.isLinux());
    }

    /** Walks a worktree and watches it if the watch service reports changes without delay. */
    RepositoryWatch(Path root, Path markers, boolean deliversAtOnce) throws IOException {
        this.complete = deliversAtOnce;
        this.root = root;
        this.markers = markers;
        this.service = root.getFileSystem().newWatchService();
        watched.put(markers.register(service, ENTRY_CREATE), markers);
        rescan();
    }

    /**
     * Returns the directories that have a {@code .git} or a {@code HEAD}, as of the last flush, in
     * order.
     */
    Set<Path> repositories() {
        return new TreeSet<>(repositories);
    }

    /** Returns the directories that a command has made unreadable: they may hide a repository. */
    Set<Path> hidden() {
        Set<Path> changed = new TreeSet<>();
        hidden.forEach((directory, stamp) -> {
            if (!stamp.equals(acceptedHidden.get(directory))) {
                changed.add(directory);
            }
        });
        return changed;
    }

    /** Takes the directories that cannot be listed now for the user's own. */
    void acceptHidden() {
        acceptedHidden = Map.copyOf(hidden);
    }

    /** Searches the directories that could not be listed, and that somebody has changed since. */
    private void searchOpened() {
        for (Map.Entry<Path, String> entry : Map.copyOf(hidden).entrySet()) {
            if (!entry.getValue().equals(stamp(entry.getKey()))) {
                search(entry.getKey());
            }
        }
    }

    /** Searches a directory again, which may have become readable. */
    void search(Path directory) {
        hidden.keySet().removeIf(path -> path.startsWith(directory));
        add(directory);
    }

    private static String stamp(Path directory) {
        try {
            return Files.readAttributes(directory, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS)
                    .toString();
        } catch (NoSuchFileException vanished) {
            return "";
        } catch (IOException unreadable) {
            return "unreadable";
        }
    }

    /** Processes the events that are queued, without waiting. */
    void poll() {
        for (WatchKey key = service.poll(); key != null; key = service.poll()) {
            take(key);
        }
    }

    /** Processes the events of every change that was made in the tree before this call. */
    void flush() {
        // The watch follows the directory, not its path.
        if (!complete || !rootIdentity.equals(Baseline.identity(root))) {
            rescan();
            return;
        }
        // A watch service delivers events in the order of the changes: when the marker's event
        // arrives, all earlier ones have.
        Path mark = markers.resolve("flush-" + markersWritten++);
        try {
            Files.createFile(mark);
            awaitEventOf(mark);
            Files.delete(mark);
            searchOpened();
        } catch (IOException fault) {
            throw new UncheckedIOException("the watch of '" + root + "' cannot be brought up to date", fault);
        }
    }

    private void awaitEventOf(Path mark) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FLUSH_SECONDS);
        boolean seen = false;
        while (!seen) {
            WatchKey key = poll(deadline - System.nanoTime());
            if (key == null) {
                LOG.log(Level.WARNING, "The file watch does not answer; walking {0} instead", root);
                rescan();
                return;
            }
            seen = take(key, mark.getFileName());
        }
    }

    private @Nullable WatchKey poll(long nanos) {
        try {
            return service.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void take(WatchKey key) {
        take(key, Path.of(""));
    }

    private boolean take(WatchKey key, Path awaited) {
        Path directory = watched.get(key);
        boolean seen = false;
        boolean overflow = false;
        for (WatchEvent<?> event : key.pollEvents()) {
            if (event.kind().equals(OVERFLOW)) {
                overflow = true;
            } else if (directory != null && event.context() instanceof Path name) {
                seen |= directory.equals(markers) && name.equals(awaited);
                happened(directory, name, event.kind().equals(ENTRY_CREATE));
            }
        }
        if (!key.reset()) {
            watched.remove(key);
        }
        if (overflow) {
            // Events of any directory may be lost, the marker's among them.
            LOG.log(Level.DEBUG, "The watch of {0} has lost events; it is searched", root);
            rescan();
            return true;
        }
        return seen;
    }

    private void happened(Path directory, Path name, boolean created) {
        if (directory.equals(markers)) {
            return;
        }
        if (isSign(name)) {
            update(directory);
        } else if (created && Files.isDirectory(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
            add(directory.resolve(name));
        } else if (!created) {
            Path gone = directory.resolve(name);
            repositories.removeIf(repository -> repository.startsWith(gone) && !hasSign(repository));
            hidden.keySet().removeIf(path -> path.startsWith(gone));
        }
    }

    private void update(Path directory) {
        if (hasSign(directory)) {
            repositories.add(directory);
        } else {
            repositories.remove(directory);
        }
    }

    /** Returns whether a name is a sign of a repository, which a git directory of any name has. */
    private static boolean isSign(Path name) {
        return name.toString().equalsIgnoreCase(".git") || name.equals(HEAD);
    }

    private static boolean hasSign(Path directory) {
        return Files.exists(directory.resolve(DOT_GIT), LinkOption.NOFOLLOW_LINKS)
                || Files.exists(directory.resolve(HEAD), LinkOption.NOFOLLOW_LINKS);
    }

    private void rescan() {
        repositories.clear();
        hidden.clear();
        rootIdentity = Baseline.identity(root);
        add(root);
    }

    /**
     * Walks a directory and watches every directory in it. Each is watched before it is listed, so
     * that no change in between is missed.
     */
    private void add(Path directory) {
        try {
            Files.walkFileTree(directory, new Registration());
        } catch (IOException fault) {
            throw new UncheckedIOException("'" + directory + "' cannot be searched for repositories", fault);
        }
    }

    private void watch(Path directory) {
        if (!complete) {
            return;
        }
        try {
            watched.put(directory.register(service, ENTRY_CREATE, ENTRY_DELETE), directory);
        } catch (NoSuchFileException | NotDirectoryException vanished) {
            LOG.log(Level.TRACE, "{0} is gone already", directory);
        } catch (IOException fault) {
            complete = false;
            LOG.log(
                    Level.WARNING,
                    "Not all of {0} can be watched ({1}), so that it is searched after each command; raise "
                            + "fs.inotify.max_user_watches to make this quick",
                    root,
                    fault.getMessage());
        }
    }

    private final class Registration extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            if (directory.endsWith(DOT_GIT)) {
                sign(directory);
                return FileVisitResult.SKIP_SUBTREE;
            }
            watch(directory);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (isSign(file.getFileName())) {
                sign(file);
            }
            return FileVisitResult.CONTINUE;
        }

        private void sign(Path entry) {
            repositories.add(entry.getParent() == null ? root : entry.getParent());
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException fault) {
            if (file.endsWith(DOT_GIT)) {
                sign(file);
            } else if (!(fault instanceof NoSuchFileException)) {
                LOG.log(Level.DEBUG, "{0} cannot be searched: {1}", file, fault.getMessage());
                hidden.put(file, stamp(file));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException fault) {
            return fault == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, fault);
        }
    }

    @Override
    public void close() {
        try {
            service.close();
        } catch (IOException fault) {
            throw new UncheckedIOException("the watch of '" + root + "' cannot be closed", fault);
        }
    }
}
