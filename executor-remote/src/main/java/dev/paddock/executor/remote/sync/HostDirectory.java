package dev.paddock.executor.remote.sync;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The operations of a synchronization in a directory of the worktree, which a {@link Pinned} keeps open. Names are
 * single components, each character one byte. No operation follows a link.
 */
interface HostDirectory extends AutoCloseable {
    /**
     * Opens a directory in this one.
     *
     * @throws NoDirectory if it is missing, a link or no directory
     */
    HostDirectory directory(String name) throws IOException;

    /**
     * Returns the names of all entries, unsorted.
     *
     * @throws NoDirectory if this directory has been removed
     */
    List<String> names() throws IOException;

    /** Returns an entry's status; empty if it does not exist. */
    Optional<TreeEntry> stat(String name) throws IOException;

    void makeDirectory(String name) throws IOException;

    void setMode(String name, int mode) throws IOException;

    /** Sets the modification time of a file in nanoseconds since 1970. */
    void setModified(String name, long nanos) throws IOException;

    /**
     * Removes an entry, if it exists.
     *
     * @return false if it is a directory that is not empty
     */
    boolean remove(String name, boolean isDirectory) throws IOException;

    void makeLink(String name, String target) throws IOException;

    String target(String name) throws IOException;

    /** Renames an entry of this directory, and replaces another. */
    void replace(String from, String name) throws IOException;

    /**
     * Moves a file of Paddock's own here, and replaces an existing entry.
     *
     * @return false if it is on another file system
     */
    boolean moveIn(Path file, String name) throws IOException;

    /** Copies a file of Paddock's own with its permissions and times to a new entry. */
    void copyIn(Path file, String name) throws IOException;

    /**
     * Opens a regular file to read; never waits for the writer of a pipe.
     *
     * @throws NoSuchFileException if it does not exist, or is something else
     */
    InputStream read(String name) throws IOException;

    /** Returns whether a regular file has the content of one of Paddock's own. */
    boolean equalsContent(String name, Path file) throws IOException;

    @Override
    void close();

    /**
     * Opens a directory of a tree.
     *
     * @param kernel for the calling thread; empty where its calls are not available
     * @param root a directory whose own path no command can change
     * @param path below it, with slashes; empty for the root itself
     * @throws NoDirectory if a part of the path is missing, a link or no directory
     */
    static HostDirectory open(Optional<Kernel> kernel, Path root, String path) throws IOException {
        try {
            return over(kernel, Pinned.directory(root, WorktreeListing.resolve(root, path)));
        } catch (NoSuchFileException | NotDirectoryException missing) {
            throw new NoDirectory(path);
        }
    }

    /** Opens a directory in another. */
    static HostDirectory below(Optional<Kernel> kernel, Pinned directory, String name) throws IOException {
        try {
            return over(kernel, directory.childDirectory(path(name)));
        } catch (NoSuchFileException | NotDirectoryException missing) {
            throw new NoDirectory(name);
        }
    }

    private static HostDirectory over(Optional<Kernel> kernel, Pinned directory) {
        return kernel.isPresent() && directory.descriptor().isPresent()
                ? new OpenHostDirectory(kernel.get(), directory)
                : new ByPath(directory);
    }

    private static Path path(String name) {
        return PathBytes.path(name).orElseThrow(() -> new UncheckedIOException(new IOException("no path: " + name)));
    }

    /** Returns the calls for one thread; empty where they are not available. */
    static Optional<Kernel> kernel() {
        try {
            return Kernel.isAvailable() ? Optional.of(Kernel.create()) : Optional.empty();
        } catch (IOException unavailable) {
            throw new UncheckedIOException(unavailable);
        }
    }

    /** A parent directory is missing, or something else. */
    final class NoDirectory extends IOException {
        private static final long serialVersionUID = 1;

        NoDirectory(String path) {
            super("'" + ShownPath.of(path) + "' is no directory");
        }
    }

    /** Acts by path, where the kernel's calls are not available (macOS): a race between check and act remains. */
    record ByPath(Pinned directory) implements HostDirectory {

        private Path at(String name) {
            return directory.at(path(name));
        }

        @Override
        public HostDirectory directory(String name) throws IOException {
            return below(Optional.empty(), directory, name);
        }

        @Override
        public List<String> names() throws IOException {
            try {
                return directory.names().stream().map(PathBytes::of).toList();
            } catch (NoSuchFileException | NotDirectoryException removed) {
                throw new NoDirectory("");
            }
        }

        @Override
        public Optional<TreeEntry> stat(String name) throws IOException {
            return WorktreeListing.stat(at(name));
        }

        @Override
        public void makeDirectory(String name) throws IOException {
            Files.createDirectory(at(name));
        }

        @Override
        public void setMode(String name, int mode) throws IOException {
            if (Files.isSymbolicLink(at(name))) {
                throw new IOException("it is a link");
            }
            Files.setPosixFilePermissions(at(name), Landing.permissions(mode));
        }

        @Override
        public void setModified(String name, long nanos) throws IOException {
            Files.setLastModifiedTime(at(name), FileTime.from(nanos, TimeUnit.NANOSECONDS));
        }

        @Override
        public boolean remove(String name, boolean isDirectory) throws IOException {
            try {
                Files.deleteIfExists(at(name));
                return true;
            } catch (DirectoryNotEmptyException ownFiles) {
                return false;
            }
        }

        @Override
        public void makeLink(String name, String target) throws IOException {
            Files.createSymbolicLink(at(name), Landing.link(target));
        }

        @Override
        public String target(String name) throws IOException {
            return PathBytes.of(Files.readSymbolicLink(at(name)));
        }

        @Override
        public void replace(String from, String name) throws IOException {
            Files.move(at(from), at(name), StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public boolean moveIn(Path file, String name) throws IOException {
            try {
                Files.move(file, at(name), StandardCopyOption.ATOMIC_MOVE);
                return true;
            } catch (AtomicMoveNotSupportedException otherFileSystem) {
                return false;
            }
        }

        @Override
        public void copyIn(Path file, String name) throws IOException {
            Files.copy(file, at(name), StandardCopyOption.COPY_ATTRIBUTES);
        }

        @Override
        public InputStream read(String name) throws IOException {
            if (!Files.isRegularFile(at(name), LinkOption.NOFOLLOW_LINKS)) {
                throw new NoSuchFileException(name);
            }
            return Files.newInputStream(at(name), LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public boolean equalsContent(String name, Path file) throws IOException {
            try {
                return Files.isRegularFile(at(name), LinkOption.NOFOLLOW_LINKS) && Files.mismatch(file, at(name)) < 0;
            } catch (NoSuchFileException vanished) {
                return false;
            }
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}
