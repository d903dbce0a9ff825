package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Lends memory for one read or write while bytes are moving: there are as many buffers as threads that move bytes, not
 * as open streams.
 */
public final class Transfer implements AutoCloseable {
    /** The default capacity of a pipe. */
    public static final int BYTES = 65_536;

    private static final BlockingQueue<Transfer> IDLE = new ArrayBlockingQueue<>(16);

    private final LibC c;
    private final ByteBuffer bytes = Memory.allocate(BYTES);
    private final ByteBuffer pollDescriptor = Memory.allocate(8);

    private Transfer(LibC c) {
        this.c = c;
    }

    /** Borrows memory; {@link #close} returns it. */
    public static Transfer borrow(LibC c) {
        Transfer idle = IDLE.poll();
        return idle == null ? new Transfer(c) : idle;
    }

    @Override
    public void close() {
        if (!IDLE.offer(this)) {
            bytes.clear(); // enough are kept; this one is garbage
        }
    }

    /**
     * Waits for a descriptor; returns whether it is ready.
     *
     * @param events {@link PollSet#IN} or {@link PollSet#OUT}
     */
    public boolean await(int descriptor, int events, int milliseconds) throws NativeFault {
        pollDescriptor.putInt(0, descriptor).putShort(4, (short) events).putShort(6, (short) 0);
        int ready = c.poll(Memory.address(pollDescriptor), 1, milliseconds);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw new NativeFault("a pipe could not be waited for", -ready);
        }
        return ready > 0;
    }

    /** Reads; returns the number of bytes, 0 at the end, or the negative error number. */
    public int read(int descriptor, byte[] into, int offset, int length) {
        int count = c.read(descriptor, Memory.address(bytes), Math.min(length, BYTES));
        if (count > 0) {
            bytes.get(0, into, offset, count);
        }
        return count;
    }

    /** Writes; returns the number of bytes, or the negative error number. */
    public int write(int descriptor, byte[] from, int offset, int length) {
        int count = Math.min(length, BYTES);
        bytes.put(0, from, offset, count);
        return c.write(descriptor, Memory.address(bytes), count);
    }
}
