package dev.paddock.harness.workspace.support;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * An open file with a shared or exclusive lock, within this process and between processes. The kernel releases
 * the lock when the process ends, however it ends.
 */
public final class FileLock implements AutoCloseable {
    private static final int SHARED = 1;
    private static final int EXCLUSIVE = 2;
    private static final int RELEASE = 8;

    private final Kernel kernel;
    private final int descriptor;
    private boolean closed;

    private FileLock(Kernel kernel, int descriptor) {
        this.kernel = kernel;
        this.descriptor = descriptor;
    }

    /**
     * Opens a file without locking it.
     *
     * @throws NoSuchFileException if there is none
     */
    public static FileLock open(Path file) throws IOException {
        Kernel kernel = Kernel.create();
        try {
            return new FileLock(kernel, kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file)));
        } catch (Fault fault) {
            throw fault.is(Fault.ENOENT) ? new NoSuchFileException(file.toString()) : fault;
        }
    }

    /** Locks the file shared; returns false if it is locked exclusively elsewhere. */
    public synchronized boolean share() throws IOException {
        return kernel.lock(descriptor, SHARED);
    }

    /** Locks the file exclusively; returns false, and loses an earlier lock, if it is locked elsewhere. */
    public synchronized boolean takeAlone() throws IOException {
        return kernel.lock(descriptor, EXCLUSIVE);
    }

    /** Sets the open file's modification time to now, even if it was moved. */
    public synchronized void touch() throws IOException {
        Instant now = Instant.now();
        kernel.setModified(descriptor, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
    }

    /** Releases the lock. */
    public synchronized void release() throws IOException {
        kernel.lock(descriptor, RELEASE); // closing is not enough: a child before its exec holds a copy
    }

    /** Releases the lock and closes the file. Idempotent. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            release();
        } finally {
            kernel.close(descriptor);
        }
    }
}
