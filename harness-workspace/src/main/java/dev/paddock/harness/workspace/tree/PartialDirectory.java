package dev.paddock.harness.workspace.tree;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.os.file.TreeRemoval;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * A directory under construction, which gets its final name when complete. The class also removes directories, under a
 * temporary name. A killed process leaves both behind; the next one in the same directory removes them, those under
 * construction only if the kernel has released their lock.
 */
public final class PartialDirectory implements AutoCloseable {
    private static final String PREFIX = ".paddock-partial-";
    private static final String HIDDEN_PREFIX = ".paddock-removed-";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int EXCLUSIVE = 2;

    private final Kernel kernel;
    private final Path directory;
    private final Path target;
    private final int parent;
    private final int descriptor;
    private boolean finished;

    private PartialDirectory(Kernel kernel, Path directory, Path target, int parent, int descriptor) {
        this.kernel = kernel;
        this.directory = directory;
        this.target = target;
        this.parent = parent;
        this.descriptor = descriptor;
    }

    /**
     * Creates an empty directory, which only the user can enter.
     *
     * @param target its final path, as {@link #target} returns it
     */
    public static PartialDirectory beside(Kernel kernel, Path target) throws IOException {
        Path in = Objects.requireNonNull(target.getParent());
        int parent;
        try {
            parent = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(in));
        } catch (Fault fault) {
            throw new FileSystemException(in.toString(), null, fault.getMessage());
        }
        try {
            sweep(kernel, in);
            while (true) {
                String name = PREFIX + Integer.toString(RANDOM.nextInt(Integer.MAX_VALUE), 36);
                int descriptor = make(kernel, parent, name);
                if (descriptor >= 0) {
                    return new PartialDirectory(kernel, in.resolve(name), target, parent, descriptor);
                }
            }
        } catch (Fault fault) {
            kernel.close(parent);
            throw new FileSystemException(in.toString(), null, "no directory can be made in it: " + fault.getMessage());
        }
    }

    /** Returns -1 if another process's sweep was faster. */
    private static int make(Kernel kernel, int parent, String name) throws Fault {
        kernel.makeDirectory(parent, name);
        int descriptor = -1;
        try {
            descriptor = kernel.openDirectory(parent, name);
            if (kernel.lock(descriptor, EXCLUSIVE)
                    && kernel.status(parent, name).inode()
                            == kernel.status(descriptor).inode()) {
                return descriptor;
            }
        } catch (Fault fault) {
            if (!fault.is(Fault.ENOENT)) {
                closeIfOpen(kernel, descriptor);
                throw fault;
            }
        }
        closeIfOpen(kernel, descriptor);
        return -1;
    }

    private static void closeIfOpen(Kernel kernel, int descriptor) {
        if (descriptor >= 0) {
            kernel.close(descriptor);
        }
    }

    private static void sweep(Kernel kernel, Path in) throws IOException {
        int parent = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(in));
        try {
            for (String name : kernel.names(parent)) {
                if (name.startsWith(PREFIX)) {
                    removeIfAbandoned(kernel, parent, name);
                } else if (name.startsWith(HIDDEN_PREFIX)) {
                    removeAbandoned(kernel, parent, name);
                }
            }
        } finally {
            kernel.close(parent);
        }
    }

    private static void removeIfAbandoned(Kernel kernel, int parent, String name) {
        int descriptor = -1;
        try {
            descriptor = kernel.openDirectory(parent, name);
            if (kernel.lock(descriptor, EXCLUSIVE)) {
                removeAbandoned(kernel, parent, name);
            }
        } catch (Fault notOurs) {
            // Another user's, or removed concurrently: harmless.
        } finally {
            closeIfOpen(kernel, descriptor);
        }
    }

    private static void removeAbandoned(Kernel kernel, int parent, String name) {
        try {
            TreeRemoval.remove(kernel, parent, name);
        } catch (Fault notOurs) {
            // Another user's: harmless.
        }
    }

    /**
     * Renames a complete directory to a temporary name. {@link #removeHidden} then removes it, or the next call in the
     * same parent directory.
     *
     * <p>A hidden directory has no lock: nobody needs it, and a child process before its exec would keep the lock in
     * its copy of the descriptor.
     *
     * @return its new path
     */
    public static Path hide(Kernel kernel, Path directory) throws IOException {
        Path in = Objects.requireNonNull(directory.getParent());
        int parent = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(in));
        try {
            String name = HIDDEN_PREFIX + Long.toString(RANDOM.nextLong(Long.MAX_VALUE), 36);
            kernel.rename(parent, nameOf(directory), name);
            return in.resolve(name);
        } finally {
            kernel.close(parent);
        }
    }

    /** Atomically exchanges the names of two directories with the same parent. */
    public static void exchange(Kernel kernel, Path one, Path another) throws IOException {
        Path in = Objects.requireNonNull(one.getParent());
        int parent = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(in));
        try {
            kernel.exchange(parent, nameOf(one), nameOf(another));
        } catch (Fault fault) {
            throw new FileSystemException(
                    one.toString(), another.toString(), "they cannot be exchanged: " + fault.getMessage());
        } finally {
            kernel.close(parent);
        }
    }

    /** Removes a directory that {@link #hide} has hidden; others may do so concurrently. */
    public static void removeHidden(Kernel kernel, Path hidden) throws IOException {
        int parent =
                kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(Objects.requireNonNull(hidden.getParent())));
        try {
            TreeRemoval.remove(kernel, parent, nameOf(hidden));
        } finally {
            kernel.close(parent);
        }
    }

    public Path directory() {
        return directory;
    }

    int descriptor() {
        return descriptor;
    }

    /** Returns its status, which identifies it after renaming. */
    public Status status() throws IOException {
        return kernel.status(descriptor);
    }

    /** Gives the directory its final name, which must be free. */
    public void commit() throws IOException {
        try {
            kernel.rename(parent, nameOf(directory), nameOf(target));
        } catch (Fault fault) {
            throw fault.is(Fault.EEXIST)
                    ? new FileAlreadyExistsException(target.toString())
                    : new FileSystemException(target.toString(), null, fault.getMessage());
        }
        finished = true;
    }

    private static String nameOf(Path path) {
        String text = PathBytes.of(path);
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /** Removes the directory if it is not complete. */
    @Override
    public void close() throws IOException {
        try {
            if (!finished) {
                TreeRemoval.remove(kernel, parent, nameOf(directory));
            }
        } finally {
            kernel.close(descriptor);
            kernel.close(parent);
        }
    }

    /**
     * Returns the path of a new directory, with its parent's real path.
     *
     * @throws FileAlreadyExistsException if an entry is there
     */
    public static Path target(Path wanted) throws IOException {
        Path absolute = wanted.toAbsolutePath().normalize();
        if (absolute.getParent() == null || Files.exists(absolute, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(wanted.toString(), null, "a copy needs a new directory");
        }
        return absolute.getParent().toRealPath().resolve(Objects.requireNonNull(absolute.getFileName()));
    }
}
