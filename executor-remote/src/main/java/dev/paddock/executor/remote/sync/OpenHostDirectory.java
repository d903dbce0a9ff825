package dev.paddock.executor.remote.sync;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.FileContents;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.file.Status;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Acts relative to the descriptor of a directory, by the calls of one thread. */
final class OpenHostDirectory implements HostDirectory {
    private static final int BUFFER = 64 << 10;

    private final Kernel kernel;
    private final Pinned directory;
    private final int descriptor;

    /**
     * Takes over a directory.
     *
     * @param directory which a descriptor keeps open
     */
    OpenHostDirectory(Kernel kernel, Pinned directory) {
        this.kernel = kernel;
        this.directory = directory;
        this.descriptor = directory.descriptor().orElseThrow();
    }

    @Override
    public HostDirectory directory(String name) throws IOException {
        return HostDirectory.below(Optional.of(kernel), directory, name);
    }

    @Override
    public List<String> names() throws IOException {
        try {
            int open = kernel.openDirectory(descriptor, ".");
            try {
                return kernel.names(open, Tree.MAX_ENTRIES + 1);
            } finally {
                kernel.close(open);
            }
        } catch (Fault fault) {
            throw fault.showsChange() ? new NoDirectory("") : fault;
        }
    }

    @Override
    public Optional<TreeEntry> stat(String name) throws IOException {
        try {
            return Optional.of(entry(kernel.status(descriptor, name)));
        } catch (Fault fault) {
            if (fault.is(Fault.ENOENT)) {
                return Optional.empty();
            }
            throw fault;
        }
    }

    private static TreeEntry entry(Status status) {
        return TreeEntry.of(status.mode(), status.size(), status.inode(), status.modified(), status.changed());
    }

    @Override
    public void makeDirectory(String name) throws IOException {
        kernel.makeDirectory(descriptor, name);
    }

    @Override
    public void setMode(String name, int mode) throws IOException {
        kernel.setMode(descriptor, name, mode);
    }

    @Override
    public void setModified(String name, long nanos) throws IOException {
        kernel.setModified(descriptor, name, nanos);
    }

    @Override
    public boolean remove(String name, boolean isDirectory) throws IOException {
        try {
            kernel.remove(descriptor, name, isDirectory);
            return true;
        } catch (Fault fault) {
            if (fault.is(Fault.ENOTEMPTY)) {
                return false;
            }
            if (fault.is(Fault.ENOENT)) {
                return true;
            }
            throw fault;
        }
    }

    @Override
    public void makeLink(String name, String target) throws IOException {
        kernel.makeLink(descriptor, name, target);
    }

    @Override
    public String target(String name) throws IOException {
        try {
            return kernel.target(descriptor, name);
        } catch (Fault fault) {
            if (fault.is(Fault.ENOENT) || fault.is(Fault.EINVAL)) {
                throw new NotLinkException(name);
            }
            throw new FileSystemException(name, null, fault.getMessage());
        }
    }

    @Override
    public void replace(String from, String name) throws IOException {
        kernel.replace(descriptor, from, descriptor, name);
    }

    @Override
    public boolean moveIn(Path file, String name) throws IOException {
        try {
            kernel.replace(Kernel.NO_DIRECTORY, PathBytes.of(file), descriptor, name);
            return true;
        } catch (Fault fault) {
            if (fault.is(Fault.EXDEV)) {
                return false;
            }
            throw fault;
        }
    }

    @Override
    public void copyIn(Path file, String name) throws IOException {
        int from = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
        try {
            Status status = kernel.status(from);
            int to = kernel.createFile(descriptor, name);
            try {
                new FileContents(kernel).copy(from, to, status.size());
                kernel.setMode(to, status.mode());
                kernel.setModified(to, status.modified());
            } finally {
                kernel.close(to);
            }
        } finally {
            kernel.close(from);
        }
    }

    @Override
    public InputStream read(String name) throws IOException {
        try {
            int open = kernel.openFile(descriptor, name);
            boolean isFile = false;
            try {
                isFile = kernel.status(open).isFile();
            } finally {
                if (!isFile) {
                    kernel.close(open);
                }
            }
            if (isFile) {
                return new Content(kernel, open);
            }
        } catch (Fault fault) {
            if (!fault.showsChange()) {
                throw new FileSystemException(name, null, fault.getMessage());
            }
        }
        throw new NoSuchFileException(name);
    }

    /** Reads an open file; for the kernel's thread. */
    private static final class Content extends InputStream {
        private final Kernel kernel;
        private final int open;
        private final ByteBuffer buffer = Memory.allocate(BUFFER);

        Content(Kernel kernel, int open) {
            this.kernel = kernel;
            this.open = open;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int most) throws IOException {
            int length = kernel.read(open, buffer, Math.min(most, BUFFER));
            buffer.get(0, bytes, offset, length);
            return length == 0 && most > 0 ? -1 : length;
        }

        @Override
        public void close() {
            kernel.close(open);
        }
    }

    @Override
    public boolean equalsContent(String name, Path file) throws IOException {
        int open = kernel.openFile(descriptor, name);
        try {
            int other = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
            try {
                Status status = kernel.status(open);
                return status.isFile()
                        && status.size() == kernel.status(other).size()
                        && isEqual(open, other, status.size());
            } finally {
                kernel.close(other);
            }
        } finally {
            kernel.close(open);
        }
    }

    /** Compares two files of one size where one of them has data: both are zero elsewhere. */
    private boolean isEqual(int mine, int theirs, long size) throws IOException {
        ByteBuffer one = Memory.allocate(BUFFER);
        ByteBuffer another = Memory.allocate(BUFFER);
        for (long at = next(mine, theirs, 0, size); at < size; ) {
            kernel.position(mine, at);
            kernel.position(theirs, at);
            int length = kernel.read(mine, one, BUFFER);
            for (int compared = 0; compared < length; ) {
                int read = kernel.read(theirs, another, length - compared);
                if (read == 0 || !one.slice(compared, read).equals(another.slice(0, read))) {
                    return false;
                }
                compared += read;
            }
            if (length == 0) {
                return false; // it is shorter now
            }
            at = next(mine, theirs, at + length, size);
        }
        return true;
    }

    /** Returns the next offset at which one of the files has data; the size if none has. */
    private long next(int mine, int theirs, long from, long size) {
        return from >= size ? size : Math.min(data(mine, from, size), data(theirs, from, size));
    }

    private long data(int file, long from, long size) {
        long found = kernel.seek(file, from, true);
        return found >= 0 ? found : found == -Fault.ENXIO ? size : from;
    }

    @Override
    public void close() {
        directory.close();
    }
}
