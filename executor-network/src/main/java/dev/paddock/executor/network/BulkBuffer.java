package dev.paddock.executor.network;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * Lends memory outside the heap, which the kernel reads and writes without a further copy. It is scarce and shared by
 * all connections: a command that does not read keeps what its connection has borrowed.
 */
final class BulkBuffer implements AutoCloseable {
    private static final int BYTES = 1 << 19;
    private static final int MAX_BUFFERS = 8;

    private static final Semaphore LEFT = new Semaphore(MAX_BUFFERS);
    private static final Queue<ByteBuffer> IDLE = new ConcurrentLinkedQueue<>();

    private final ByteBuffer bytes;

    private BulkBuffer(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Borrows a buffer, which {@link #close} returns; empty if all are lent. */
    static Optional<BulkBuffer> borrow() {
        if (!LEFT.tryAcquire()) {
            return Optional.empty();
        }
        ByteBuffer idle = IDLE.poll();
        return Optional.of(new BulkBuffer(idle == null ? ByteBuffer.allocateDirect(BYTES) : idle));
    }

    static int left() {
        return LEFT.availablePermits();
    }

    ByteBuffer bytes() {
        return bytes.clear();
    }

    @Override
    public void close() {
        IDLE.add(bytes);
        LEFT.release();
    }
}
