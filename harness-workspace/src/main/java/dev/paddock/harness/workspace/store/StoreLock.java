package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * Lets one process or thread write to a store, or several read it. The kernel releases the lock when the process ends,
 * however it ends.
 */
public final class StoreLock implements AutoCloseable {
    private static final int SHARED = 1;
    private static final int EXCLUSIVE = 2;
    private static final int RELEASE = 8;
    private static final long PAUSE_MILLIS = 5;
    private static final String HOLDER = "process ";

    private final Kernel kernel;
    private final int descriptor;

    private StoreLock(Kernel kernel, int descriptor) {
        this.kernel = kernel;
        this.descriptor = descriptor;
    }

    /** Waits for a writer; several may read. */
    public static StoreLock toRead(Kernel kernel, StoreFiles files, Duration wait) throws IOException {
        return take(kernel, files, SHARED, wait);
    }

    /** Waits for readers and writers, and removes leftovers of killed processes. */
    public static StoreLock toWrite(Kernel kernel, StoreFiles files, Duration wait) throws IOException {
        StoreLock lock = take(kernel, files, EXCLUSIVE, wait);
        try {
            files.clearTemporary();
            return lock;
        } catch (IOException fault) {
            lock.close();
            throw fault;
        }
    }

    private static StoreLock take(Kernel kernel, StoreFiles files, int kind, Duration wait) throws IOException {
        Path file = files.lock();
        if (!Files.exists(file)) {
            try {
                Files.createFile(file);
            } catch (FileAlreadyExistsException another) {
                return take(kernel, files, kind, wait);
            }
        }
        int descriptor = kernel.openFile(Kernel.NO_DIRECTORY, PathBytes.of(file));
        boolean taken = false;
        try {
            long end = System.nanoTime() + wait.toNanos();
            while (!kernel.lock(descriptor, kind)) {
                if (System.nanoTime() - end > 0) {
                    throw new StoreException(
                            StoreException.Reason.BUSY,
                            "the store '" + files.root() + "' has been in use for " + wait.toSeconds()
                                    + " s by another process or thread; it was last taken by "
                                    + Files.readString(file).strip() + ". Wait for it, or end it");
                }
                Thread.sleep(PAUSE_MILLIS);
            }
            taken = true;
            note(file);
            return new StoreLock(kernel, descriptor);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the store '" + files.root() + "'");
        } finally {
            if (!taken) {
                kernel.close(descriptor);
            }
        }
    }

    /** Returns whether a file has a lock note, or is still empty. */
    static boolean isLock(Path file) throws IOException {
        byte[] written = HOLDER.getBytes(StandardCharsets.UTF_8);
        try (InputStream content = Files.newInputStream(file)) {
            byte[] start = content.readNBytes(written.length);
            return start.length == 0 || Arrays.equals(start, written);
        }
    }

    /** Writes the lock's owner to the file, for messages. */
    private static void note(Path file) {
        try {
            Files.writeString(file, HOLDER + ProcessHandle.current().pid() + " at " + Instant.now() + "\n");
        } catch (IOException full) {
            // Ignored, so that a snapshot can be deleted when the disk is full.
        }
    }

    @Override
    public void close() throws IOException {
        try {
            kernel.lock(descriptor, RELEASE); // a child process between fork and exec holds a copy
        } finally {
            kernel.close(descriptor);
        }
    }
}
