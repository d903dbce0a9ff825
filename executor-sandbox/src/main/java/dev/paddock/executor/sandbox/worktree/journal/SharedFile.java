package dev.paddock.executor.sandbox.worktree.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small file that several JVMs read, write and lock, opened once in each of them: a POSIX lock
 * belongs to the process, and is lost when the process closes any descriptor of the file.
 *
 * <p>It is read and written without a {@link java.nio.channels.FileChannel}, which an interrupted
 * thread would close, and the locks with it; {@code tryLock} does not.
 */
final class SharedFile {
    private static final Map<Path, SharedFile> OPEN = new HashMap<>();

    private final Path path;
    private final RandomAccessFile file;
    private int users;

    /** Excludes the threads of this JVM, before a lock on the file excludes other processes. */
    private final ReentrantLock mutex = new ReentrantLock();

    private SharedFile(Path path) throws IOException {
        this.path = path;
        this.file = new RandomAccessFile(path.toFile(), "rw");
    }

    /** Opens a file, which is created if its directory exists; the caller releases it. */
    static SharedFile acquire(Path path) throws IOException {
        synchronized (OPEN) {
            SharedFile shared = OPEN.get(path);
            if (shared == null) {
                shared = new SharedFile(path);
                OPEN.put(path, shared);
            }
            shared.users++;
            return shared;
        }
    }

    void release() throws IOException {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(path);
                file.close();
            }
        }
    }

    ReentrantLock mutex() {
        return mutex;
    }

    Path path() {
        return path;
    }

    /** Locks one byte, which need not exist; empty if this or another JVM holds it. */
    Optional<FileLock> tryLock(long position) throws IOException {
        try {
            return Optional.ofNullable(file.getChannel().tryLock(position, 1, false));
        } catch (OverlappingFileLockException ofThisJvm) {
            return Optional.empty();
        }
    }

    /**
     * Reads the file from its beginning.
     *
     * @param most the number of bytes to read
     * @return the bytes; fewer if the file is shorter
     */
    synchronized ByteBuffer read(int most) throws IOException {
        byte[] bytes = new byte[most];
        file.seek(0);
        int length = Math.max(0, file.read(bytes));
        return ByteBuffer.wrap(Arrays.copyOf(bytes, length));
    }

    synchronized void write(long position, byte[] bytes) throws IOException {
        file.seek(position);
        file.write(bytes);
    }
}
