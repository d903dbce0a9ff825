package dev.paddock.executor.os.stream;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.PollSet;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Transfer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes the input of a process into a pipe. Unbuffered; while the pipe is full it waits as
 * {@link PipeInput} does.
 */
public class PipeOutput extends OutputStream {
    private static final int PATIENCE_MILLIS = 2;

    /**
     * The bytes that fit into a ready pipe, whatever it contains (POSIX); for pipes that cannot be made non-blocking.
     */
    private static final int ALWAYS_FITS = 512;

    private final Posix posix;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReadinessParker parker;
    private int descriptor;
    private volatile boolean closed;

    public PipeOutput(Posix posix, Poller poller, int descriptor) throws NativeFault {
        this.posix = posix;
        this.parker = new ReadinessParker(poller);
        this.descriptor = descriptor;
        if (posix.platform().hasLinuxCalls()) {
            posix.descriptors().makeNonBlocking(descriptor);
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        lock.lock();
        try {
            writeAll(from, offset, length);
        } finally {
            lock.unlock();
            releaseIfClosed();
        }
    }

    private void writeAll(byte[] from, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (refuses() || descriptor < 0) {
                throw new IOException("the command's standard input has been closed");
            }
            int count = writeOnce(from, offset + done, length - done);
            done += count;
            if (count == 0) {
                parker.await(descriptor, Poller.Readiness.WRITABLE, this::refuses);
            } else {
                written(from[offset + done - 1]);
            }
        }
    }

    /** Writes during {@link #hold}. */
    final void writeAll(byte[] from) throws IOException {
        writeAll(from, 0, from.length);
    }

    /** Receives the last byte of each write. */
    void written(byte last) {}

    /** Returns whether writes fail from now on; a change takes effect with {@link #wake}. */
    boolean refuses() {
        return closed;
    }

    final void wake() {
        parker.wake();
    }

    /** A step that {@link #hold} runs. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    /** Runs a last step between two writes; its failure means that the command has exited. */
    final void hold(Step step) {
        lock.lock();
        try {
            step.run();
        } catch (IOException ended) {
            LateLogger.of(PipeOutput.class).log(System.Logger.Level.DEBUG, "A command's input was not closed", ended);
        } finally {
            lock.unlock();
            releaseIfClosed();
        }
    }

    private int writeOnce(byte[] from, int offset, int length) throws IOException {
        boolean returns = posix.platform().hasLinuxCalls();
        try (Transfer transfer = Transfer.borrow(posix.c())) {
            if (returns) {
                int count = check(transfer.write(descriptor, from, offset, length));
                if (count > 0) {
                    return count;
                }
            }
            if (!transfer.await(descriptor, PollSet.OUT, PATIENCE_MILLIS)) {
                return 0;
            }
            return check(transfer.write(descriptor, from, offset, returns ? length : Math.min(length, ALWAYS_FITS)));
        }
    }

    private static int check(int count) throws IOException {
        if (count >= 0) {
            return count;
        }
        if (count == -Errno.EINTR || count == -Errno.EAGAIN) {
            return 0;
        }
        throw new IOException("the command does not read its standard input: " + Errno.text(-count));
    }

    /** Closes the stream, which the reader sees as the end of input. */
    @Override
    public void close() {
        closed = true;
        parker.wake();
        releaseIfClosed();
    }

    private void releaseIfClosed() {
        if (closed && lock.tryLock()) {
            try {
                if (descriptor >= 0) {
                    posix.descriptors().close(descriptor);
                    descriptor = -1;
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
