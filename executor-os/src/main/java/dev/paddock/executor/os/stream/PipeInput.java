package dev.paddock.executor.os.stream;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.PollSet;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Transfer;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads the output of a process from a pipe. Does not read ahead, so that a reader that stops reading blocks the
 * writer.
 *
 * <p>A read waits in the kernel for a short time and then parks its thread, which the poller wakes: while data flows,
 * no thread hands over to another; a silent stream uses no CPU; a virtual thread that reads does not occupy its carrier
 * for longer than that time; and closing always wakes the reader. One lock guards the use and closing of the
 * descriptor, so that its number cannot refer to another file during a read.
 */
public final class PipeInput extends InputStream {
    /** Longer than most gaps in a busy stream; short enough for a closing thread to wait for. */
    public static final int PATIENCE_MILLIS = 2;

    /** For a pipe whose answer a start waits for, on a platform thread. */
    public static final int LONG_PATIENCE_MILLIS = 50;

    private final Posix posix;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReadinessParker parker;
    private int descriptor;
    private byte[] rest = new byte[0];
    private int restAt;
    private final int patience;
    private long budget = Long.MAX_VALUE;
    private boolean bounded;
    private volatile boolean closed;
    private volatile boolean ended;
    private final boolean terminal;

    /**
     * Creates the stream for the JVM's end of a pipe.
     *
     * @param patience how long a read waits in the kernel before it parks, in milliseconds;
     *     {@link #PATIENCE_MILLIS} at most where the thread is virtual
     */
    public PipeInput(Posix posix, Poller poller, int descriptor, int patience) {
        this(posix, poller, descriptor, patience, false);
    }

    private PipeInput(Posix posix, Poller poller, int descriptor, int patience, boolean terminal) {
        this.posix = posix;
        this.terminal = terminal;
        this.patience = patience;
        this.parker = new ReadinessParker(poller);
        this.descriptor = descriptor;
    }

    /** Creates the stream of a terminal's output, for its master. */
    public static PipeInput ofTerminal(Posix posix, Poller poller, int descriptor) {
        return new PipeInput(posix, poller, descriptor, PATIENCE_MILLIS, true);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            while (true) {
                requireOpen();
                if (restAt < rest.length) {
                    return takeRest(into, offset, length);
                }
                if (descriptor < 0) {
                    return -1;
                }
                int count = readOnce(into, offset, length);
                if (count != 0) {
                    return count;
                }
                parker.await(descriptor, Poller.Readiness.READABLE, () -> closed || ended);
            }
        } finally {
            lock.unlock();
            releaseIfClosed();
        }
    }

    /** Returns the number of bytes read; -1 at the end; 0 if no data arrived within the patience. */
    private int readOnce(byte[] into, int offset, int length) throws IOException {
        boundIfEnded();
        if (budget == 0) {
            release();
            return -1;
        }
        try (Transfer transfer = Transfer.borrow(posix.c())) {
            if (!transfer.await(descriptor, PollSet.IN, bounded ? 0 : patience())) {
                if (bounded) {
                    release();
                    return -1;
                }
                return 0;
            }
            int count = transfer.read(descriptor, into, offset, (int) Math.min(length, budget));
            if (count > 0) {
                budget -= bounded ? count : 0;
                return count;
            }
            if (count == 0 || (terminal && count == -Errno.EIO)) {
                release();
                return -1;
            }
            if (count != -Errno.EINTR && count != -Errno.EAGAIN) {
                throw new IOException("the command's output could not be read: " + Errno.text(-count));
            }
            return 0;
        }
    }

    private int patience() {
        return Thread.currentThread().isVirtual() ? Math.min(patience, PATIENCE_MILLIS) : patience;
    }

    private int takeRest(byte[] into, int offset, int length) {
        int count = Math.min(length, rest.length - restAt);
        System.arraycopy(rest, restAt, into, offset, count);
        restAt += count;
        if (restAt == rest.length) {
            rest = new byte[0];
            restAt = 0;
        }
        return count;
    }

    @Override
    public int available() throws IOException {
        lock.lock();
        try {
            requireOpen();
            return rest.length - restAt + (descriptor < 0 ? 0 : inPipe());
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the number of bytes in the pipe. Where the system does not report it, 1 if there are any: with a larger
     * number a reader would wait for more.
     */
    private int inPipe() throws IOException {
        if (posix.platform().hasLinuxCalls()) {
            return posix.descriptors().pending(descriptor);
        }
        try (Transfer transfer = Transfer.borrow(posix.c())) {
            return transfer.await(descriptor, PollSet.IN, 0) ? 1 : 0;
        }
    }

    /**
     * Ends the stream after the end of the tree: the pipe now holds the rest of the tree's output, and the stream does
     * not wait for other processes that have the pipe open. If no thread is reading, this copies the rest, at most the
     * capacity of a pipe, so that the descriptor can be closed.
     */
    public void end() {
        ended = true;
        parker.wake();
        if (lock.tryLock()) {
            try {
                keepRest();
            } catch (IOException fault) {
                LateLogger.of(PipeInput.class)
                        .log(System.Logger.Level.WARNING, "The end of a command's output was lost", fault);
            } finally {
                release();
                lock.unlock();
            }
        }
    }

    private void keepRest() throws IOException {
        boundIfEnded();
        byte[] kept = Arrays.copyOfRange(rest, restAt, rest.length);
        byte[] chunk = new byte[(int) Math.min(budget, Transfer.BYTES)];
        int count;
        while (descriptor >= 0 && chunk.length > 0 && (count = readOnce(chunk, 0, chunk.length)) > 0) {
            int before = kept.length;
            kept = Arrays.copyOf(kept, before + count);
            System.arraycopy(chunk, 0, kept, before, count);
        }
        rest = kept;
        restAt = 0;
    }

    /** Bounds the rest that is read. A terminal does not report how much it buffers, but buffers less than a pipe. */
    private void boundIfEnded() {
        if (ended && !bounded && descriptor >= 0) {
            bounded = true;
            budget = terminal ? Transfer.BYTES : posix.descriptors().pending(descriptor);
        }
    }

    /** Closing early is allowed: the command then sees a broken pipe. */
    @Override
    public void close() {
        closed = true;
        parker.wake();
        releaseIfClosed();
    }

    private void releaseIfClosed() {
        // The thread that owns the lock also calls this method after releasing it.
        if (closed && lock.tryLock()) {
            try {
                release();
                rest = new byte[0];
                restAt = 0;
            } finally {
                lock.unlock();
            }
        }
    }

    private void release() {
        if (descriptor >= 0) {
            posix.descriptors().close(descriptor);
            descriptor = -1;
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the stream has been closed");
        }
    }
}
