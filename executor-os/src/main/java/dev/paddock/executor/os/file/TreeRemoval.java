package dev.paddock.executor.os.file;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * Removes directory trees that commands could write to, relative to open directories and without following links: a
 * surviving process of a command can replace any directory with a link at any moment, and the removal has the JVM's
 * rights.
 *
 * <p>A command can nest directories deeper than a stack, a path or the number of open files allows. Therefore a
 * directory that is not empty is renamed into the topmost one before it is entered: at most three directories are open,
 * at any depth. Names are read in batches, since a directory may have more than fit into memory.
 *
 * <p>A process that adds entries faster than they are removed would keep the removal going forever: it gives up after
 * {@link #MAX_DURATION}. An interrupt does not end it, since interrupted threads remove a session's files.
 */
public final class TreeRemoval {
    private static final String NONE = "";
    private static final int OWN_ALONE = 0700;

    /** Enough for ten million files; a tree that is not removed by then grows. */
    public static final Duration MAX_DURATION = Duration.ofMinutes(10);

    /** The most passes over a tree that other processes change meanwhile. */
    private static final int MAX_ATTEMPTS = 100;

    private static final int BATCH = 2_000;

    private final Kernel kernel;
    private final Duration most;
    private final long begun = System.nanoTime();

    /** Prefix of the names of directories that are moved up; unknown to commands. */
    private final String prefix = ".removed-" + UUID.randomUUID() + "-";

    private int number;

    private TreeRemoval(Kernel kernel, Duration most) {
        this.kernel = kernel;
        this.most = most;
    }

    /** Removes a directory and its content, if it exists. */
    public static void remove(Path directory) throws IOException {
        remove(directory, NONE);
    }

    /**
     * Removes a directory and its content, if it exists.
     *
     * @param last the name of a file in the directory that is removed after all others: it stays if one of them cannot
     *     be removed or the JVM is killed before
     */
    public static void remove(Path directory, String last) throws IOException {
        remove(directory, last, MAX_DURATION);
    }

    static void remove(Path directory, String last, Duration most) throws IOException {
        if (!Kernel.isAvailable()) {
            RemovalByPath.remove(directory, last, most);
            return;
        }
        Kernel kernel = Kernel.create();
        int parent;
        try {
            parent = kernel.openDirectory(
                    Kernel.NO_DIRECTORY, PathBytes.of(Objects.requireNonNull(directory.getParent())));
        } catch (Fault fault) {
            if (fault.is(Fault.ENOENT)) {
                return;
            }
            throw fault;
        }
        try {
            String name = PathBytes.of(Objects.requireNonNull(directory.getFileName()));
            new TreeRemoval(kernel, most).remove(parent, name, last);
        } finally {
            kernel.close(parent);
        }
    }

    /**
     * Removes an entry and its content, if it exists.
     *
     * @param parent the open directory that it is in
     */
    public static void remove(Kernel kernel, int parent, String name) throws Fault {
        new TreeRemoval(kernel, MAX_DURATION).remove(parent, name, NONE);
    }

    /** Other threads and processes may remove the tree at the same time, and move directories up in it. */
    private void remove(int parent, String name, String last) throws Fault {
        for (int attempt = 0; !isRemovedAtOnce(parent, name); attempt++) {
            if (attempt == MAX_ATTEMPTS) {
                throw new Fault(Fault.ENOTEMPTY);
            }
            OptionalInt top = enter(parent, name);
            if (top.isPresent()) {
                try {
                    empty(top.getAsInt(), last);
                } finally {
                    kernel.close(top.getAsInt());
                }
            }
        }
    }

    /** Removes a file or an empty directory; returns false for other directories. */
    private boolean isRemovedAtOnce(int parent, String name) throws Fault {
        for (int attempt = 0; ; attempt++) {
            try {
                kernel.remove(parent, name, kernel.status(parent, name).isDirectory());
                return true;
            } catch (Fault fault) {
                if (fault.is(Fault.ENOTEMPTY)) {
                    return false;
                }
                if (fault.is(Fault.ENOENT)) {
                    return true;
                }
                boolean isExchanged = fault.is(Fault.ENOTDIR) || fault.is(Fault.EISDIR);
                if (!isExchanged || attempt == MAX_ATTEMPTS) {
                    throw fault;
                }
            }
        }
    }

    /** Throws the fault unless another process has removed the entry, or exchanged it for one of another kind. */
    private static void requireChange(Fault fault) throws Fault {
        if (!fault.showsChange()) {
            throw fault;
        }
    }

    private void requireTime() throws Fault {
        if (System.nanoTime() - begun > most.toNanos()) {
            throw new Fault(Fault.ETIMEDOUT);
        }
    }

    /** Empties the topmost directory, including directories that are moved up into it meanwhile. */
    private void empty(int top, String last) throws Fault {
        open(top);
        boolean changes = true;
        boolean lastIsThere = false;
        boolean othersAreThere = true;
        while (changes) {
            changes = false;
            lastIsThere = false;
            othersAreThere = false;
            kernel.position(top, 0);
            for (List<String> batch = names(top); !batch.isEmpty(); batch = names(top)) {
                for (String child : batch) {
                    requireTime();
                    if (child.equals(last)) {
                        lastIsThere = true;
                    } else {
                        othersAreThere = true;
                        changes |= isRemovedAtOnce(top, child) || emptyInto(top, child);
                    }
                }
            }
        }
        if (lastIsThere && !othersAreThere) {
            boolean unused = isRemovedAtOnce(top, last);
        }
    }

    /** Lets this user change a directory's entries. Ignores EPERM: another user's directory may be writable for all. */
    private void open(int directory) throws Fault {
        try {
            kernel.setMode(directory, OWN_ALONE);
        } catch (Fault fault) {
            if (!fault.is(Fault.EPERM)) {
                throw fault;
            }
        }
    }

    /**
     * Removes a directory's files, moves its directories up into another one, and removes it.
     *
     * @return whether anything was changed
     */
    private boolean emptyInto(int top, String name) throws Fault {
        OptionalInt entered = enter(top, name);
        if (entered.isEmpty()) {
            return isRemovedAtOnce(top, name);
        }
        int directory = entered.getAsInt();
        boolean changes = false;
        try {
            open(directory);
            for (List<String> batch = names(directory); !batch.isEmpty(); batch = names(directory)) {
                for (String child : batch) {
                    requireTime();
                    if (!isRemovedAtOnce(directory, child)) {
                        moveUp(directory, child, top, prefix + number++);
                    }
                    changes = true;
                }
            }
        } finally {
            kernel.close(directory);
        }
        return isRemovedAtOnce(top, name) || changes;
    }

    /** Returns the next names in an open directory; none if another process has removed it. */
    private List<String> names(int directory) throws Fault {
        try {
            return kernel.names(directory, BATCH);
        } catch (Fault fault) {
            requireChange(fault);
            return List.of();
        }
    }

    private void moveUp(int directory, String child, int top, String name) throws Fault {
        try {
            try {
                kernel.replace(directory, child, top, name);
            } catch (Fault fault) {
                if (!fault.is(Fault.EACCES)) {
                    throw fault;
                }
                kernel.setMode(directory, child, OWN_ALONE); // a move changes its entry "..", which takes write access
                kernel.replace(directory, child, top, name);
            }
        } catch (Fault fault) {
            requireChange(fault);
        }
    }

    /** Opens a directory, even one whose mode denies it to its owner; empty if the name is no longer a directory's. */
    private OptionalInt enter(int parent, String name) throws Fault {
        try {
            try {
                return OptionalInt.of(kernel.openDirectory(parent, name));
            } catch (Fault fault) {
                if (!fault.is(Fault.EACCES)) {
                    throw fault;
                }
                kernel.setMode(parent, name, OWN_ALONE);
                return OptionalInt.of(kernel.openDirectory(parent, name));
            }
        } catch (Fault fault) {
            requireChange(fault);
            return OptionalInt.empty();
        }
    }
}
