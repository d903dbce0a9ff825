package dev.paddock.executor.remote.sync;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lists the worktree on the host, from open directory to open directory, following no link. */
final class WorktreeListing {
    /** More than a tick of the kernel's clock for file times, at most 10 ms. */
    static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private static final String ATTRIBUTES = "unix:mode,size,ino,lastModifiedTime,ctime";

    private final Path root;
    private final AbortSignal signal;
    private final int mostEntries;
    private final Optional<Kernel> kernel = HostDirectory.kernel();
    private final Map<String, TreeEntry> entries = new HashMap<>();
    private final Set<String> closed = new HashSet<>();
    private final long begun = now();

    private WorktreeListing(Path root, AbortSignal signal, int mostEntries) {
        this.root = root;
        this.signal = signal;
        this.mostEntries = mostEntries;
    }

    /**
     * Lists a tree. Waits until each file's last change is a tick old, so that every later change of a listed file
     * changes its times.
     *
     * @throws IOException if the root cannot be listed
     * @throws ExecutorException if the tree has more than {@link Tree#MAX_ENTRIES}
     */
    static Tree list(Path root, AbortSignal signal) throws IOException {
        return list(root, signal, Tree.MAX_ENTRIES);
    }

    static Tree list(Path root, AbortSignal signal, int mostEntries) throws IOException {
        WorktreeListing tree = new WorktreeListing(root, signal, mostEntries);
        try (HostDirectory top = HostDirectory.open(tree.kernel, root, "")) {
            tree.list("", top, 0);
        } catch (HostDirectory.NoDirectory gone) {
            tree.closed.add("");
        }
        if (tree.closed.contains("")) {
            throw new IOException("the worktree '" + root + "' cannot be listed");
        }
        tree.settle();
        return new Tree(tree.entries, tree.closed, tree.begun, TICK);
    }

    /**
     * Lists a directory.
     *
     * @param path empty for the root
     */
    private void list(String path, HostDirectory directory, int depth) {
        String prefix = path.isEmpty() ? "" : path + "/";
        List<String> directories = new ArrayList<>();
        try {
            List<String> names = directory.names();
            requireWithin(names.size());
            for (String name : names) {
                signal.throwIfAborted();
                if (depth == Tree.MAX_DEPTH) {
                    closed.add(path);
                    return;
                }
                Optional<TreeEntry> entry = directory.stat(name);
                entry.ifPresent(found -> entries.put(prefix + name, found));
                requireWithin(entries.size());
                if (entry.filter(TreeEntry::isDirectory).isPresent()) {
                    directories.add(name);
                }
            }
        } catch (IOException unreadable) { // or a command has removed it: its entries are unknown
            closed.add(path);
        }
        for (String name : directories) {
            try (HostDirectory below = directory.directory(name)) {
                list(prefix + name, below, depth + 1);
            } catch (IOException exchanged) {
                closed.add(prefix + name);
            }
        }
    }

    private void requireWithin(int size) {
        if (size > mostEntries) {
            throw new ExecutorException(Tree.tooMany("the worktree '" + root + "'", mostEntries));
        }
    }

    private void settle() throws IOException {
        long now = now();
        List<String> recent = new ArrayList<>();
        long latest = 0;
        for (Map.Entry<String, TreeEntry> each : entries.entrySet()) {
            if (each.getValue().isUncertain(now, TICK)) {
                recent.add(each.getKey());
                latest = Math.max(latest, Math.min(each.getValue().changed(), now));
            }
        }
        if (!recent.isEmpty()) {
            pause(latest + TICK - now);
            for (String path : recent) {
                again(path).ifPresentOrElse(entry -> entries.put(path, entry), () -> entries.remove(path));
            }
        }
    }

    private Optional<TreeEntry> again(String path) throws IOException {
        try (HostDirectory parent =
                HostDirectory.open(kernel, root, Tree.parent(path).orElse(""))) {
            return parent.stat(Landing.name(path));
        } catch (HostDirectory.NoDirectory gone) {
            return Optional.empty();
        }
    }

    private static void pause(long nanos) throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the worktree was listed", interrupt);
        }
    }

    /** Returns a path's entry; empty if it does not exist. */
    static Optional<TreeEntry> stat(Path path) throws IOException {
        try {
            Map<String, Object> seen = Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(TreeEntry.of(
                    required(seen, "mode", Integer.class),
                    required(seen, "size", Long.class),
                    required(seen, "ino", Long.class),
                    nanos(required(seen, "lastModifiedTime", FileTime.class)),
                    nanos(required(seen, "ctime", FileTime.class))));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    /** Returns an attribute that a file system provider always returns on request. */
    private static <T> T required(Map<String, Object> attributes, String name, Class<T> type) throws IOException {
        Object value = attributes.get(name);
        if (value == null) {
            throw new IOException("the file system reports no " + name);
        }
        return type.cast(value);
    }

    private static long nanos(FileTime time) {
        return time.to(TimeUnit.NANOSECONDS);
    }

    static long now() {
        Instant now = Instant.now();
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    static Path resolve(Path root, String path) {
        return root.resolve(
                PathBytes.path(path).orElseThrow(() -> new UncheckedIOException(new IOException("no path: " + path))));
    }
}
