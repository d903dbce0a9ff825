package dev.paddock.executor.tck.subject;

import dev.paddock.executor.policy.PathMapping;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The far side of an executor whose commands share a directory, and the kernel, with the host. */
final class SharedDirectory implements FarSide {
    private static final String FOR_ALL = "rwxrwxrwx";

    private final PathMapping shared;

    SharedDirectory(PathMapping shared) {
        this.shared = shared;
    }

    private Path host(String path) {
        String root = shared.commandPath();
        if (!path.equals(root) && !path.startsWith(root + "/")) {
            throw new IllegalArgumentException("'" + path + "' is outside the shared directory '" + root + "'");
        }
        return shared.hostPath().resolve(path.substring(root.length()).replaceFirst("^/+", ""));
    }

    @Override
    public void makeDirectory(String path) throws IOException {
        Files.setPosixFilePermissions(Files.createDirectories(host(path)), PosixFilePermissions.fromString(FOR_ALL));
    }

    @Override
    public byte[] read(String path) throws IOException {
        return Files.readAllBytes(host(path));
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
        Files.write(host(path), content);
    }

    @Override
    public Pipe holdOpen(String path) throws IOException {
        Path pipe = host(path);
        SparePipes.make(pipe);
        return new Pipe() {
            private @Nullable RandomAccessFile held;

            // Opens the pipe in both directions, which never blocks.
            @Override
            public synchronized void release() throws IOException {
                if (held == null) {
                    held = new RandomAccessFile(pipe.toFile(), "rw");
                }
                held.write('\n');
            }

            @Override
            public synchronized void close() throws IOException {
                release();
                if (held != null) {
                    held.close();
                }
            }
        };
    }

    /**
     * Opens the pipe in both directions first, since opening it for reading blocks until a writer
     * opens it; closes the writing end when a first process has written.
     */
    @Override
    public InputStream watch(String path) throws IOException {
        Path pipe = host(path);
        SparePipes.make(pipe);
        RandomAccessFile bothWays = new RandomAccessFile(pipe.toFile(), "rw");
        FileInputStream reading = new FileInputStream(pipe.toFile());
        AtomicBoolean closed = new AtomicBoolean();
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int count = reading.read(bytes, offset, length);
                bothWays.close();
                if (closed.get() || count < 0) {
                    reading.close();
                }
                if (closed.get()) {
                    throw new IOException("the pipe " + pipe + " is no longer watched");
                }
                return count;
            }

            // Ends a blocked read, even if a process still has the pipe open.
            @Override
            public void close() throws IOException {
                if (closed.compareAndSet(false, true)) {
                    try (RandomAccessFile wake = new RandomAccessFile(pipe.toFile(), "rw")) {
                        wake.write('.');
                    }
                    bothWays.close();
                }
            }
        };
    }
}
