package dev.paddock.executor.remote.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Buffers one stream of a command between the connection's thread and its reader. When its {@value #CAPACITY} bytes are
 * full, the connection's thread blocks, which in turn blocks the command (C6).
 *
 * <p>Uses a lock, not a monitor: the reader may be a virtual thread, which a monitor would pin to its carrier.
 */
public final class StreamBuffer extends InputStream {
    static final int CAPACITY = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private byte[] ring = new byte[1024];
    private int start;
    private int size;
    private boolean ended;
    private boolean closed;

    public StreamBuffer() {}

    /**
     * Adds bytes, blocking while the buffer is full.
     *
     * @param bytes contains them
     * @param offset their first index
     * @param length their number
     * @return false if the reader has closed the stream; the bytes are discarded
     */
    public boolean put(byte[] bytes, int offset, int length) {
        lock.lock();
        try {
            int from = offset;
            int left = length;
            while (left > 0 && !closed && !ended) {
                int room = CAPACITY - size;
                if (room == 0) {
                    changed.awaitUninterruptibly();
                    continue;
                }
                int count = Math.min(room, left);
                append(bytes, from, count);
                from += count;
                left -= count;
                changed.signalAll();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void append(byte[] bytes, int from, int count) {
        if (size + count > ring.length) {
            grow(size + count);
        }
        int end = (start + size) % ring.length;
        int first = Math.min(count, ring.length - end);
        System.arraycopy(bytes, from, ring, end, first);
        System.arraycopy(bytes, from + first, ring, 0, count - first);
        size += count;
    }

    private void grow(int needed) {
        byte[] larger = new byte[Math.min(CAPACITY, Math.max(needed, ring.length * 2))];
        int first = Math.min(size, ring.length - start);
        System.arraycopy(ring, start, larger, 0, first);
        System.arraycopy(ring, 0, larger, first, size - first);
        ring = larger;
        start = 0;
    }

    /** Ends the stream: the reader sees end of file after the buffered bytes. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        lock.lock();
        try {
            while (size == 0 && !ended) {
                requireOpen();
                changed.await();
            }
            requireOpen();
            return size == 0 ? -1 : take(bytes, offset, length);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            InterruptedIOException fault =
                    new InterruptedIOException("interrupted while waiting for a command's stream");
            fault.initCause(interrupt);
            throw fault;
        } finally {
            lock.unlock();
        }
    }

    private int take(byte[] bytes, int offset, int length) {
        int count = Math.min(size, length);
        int first = Math.min(count, ring.length - start);
        System.arraycopy(ring, start, bytes, offset, first);
        System.arraycopy(ring, 0, bytes, offset + first, count - first);
        start = (start + count) % ring.length;
        size -= count;
        changed.signalAll();
        return count;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return closed ? 0 : size;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            size = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
