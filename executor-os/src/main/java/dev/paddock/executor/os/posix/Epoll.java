package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;

/** {@code epoll(7)}. Linux. */
public final class Epoll {
    /** Readable, or at its end. */
    public static final int IN = 1;

    /** Writable, or without a reader. */
    public static final int OUT = 4;

    private static final int ONE_SHOT = 1 << 30;
    private static final int ADD = 1;
    private static final int DELETE = 2;
    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final int MAX_EVENTS = 64;

    /** The structure is packed on x86-64 only. */
    private static final boolean PACKED = System.getProperty("os.arch", "").matches("amd64|x86_64");

    private static final int EVENT_BYTES = PACKED ? 12 : 16;
    private static final int DATA = PACKED ? 4 : 8;

    private final LibC c;
    private final long control;
    private final long wait;
    private final int descriptor;
    private final ByteBuffer events = Memory.allocate(MAX_EVENTS * EVENT_BYTES);

    Epoll(LibC c) throws NativeFault {
        this.c = c;
        control = c.find("epoll_ctl");
        wait = c.find("epoll_wait");
        descriptor = c.call(c.find("epoll_create1"), CLOSE_ON_EXEC);
        if (descriptor < 0) {
            throw new NativeFault("epoll_create1", c.errno());
        }
    }

    /** Watches a descriptor until the first event. */
    public void add(int watched, int events, long token) throws NativeFault {
        ByteBuffer event = Memory.allocate(EVENT_BYTES);
        event.putInt(0, events | ONE_SHOT).putLong(DATA, token);
        if (c.call(control, descriptor, ADD, watched, Memory.address(event)) != 0) {
            throw new NativeFault("a descriptor could not be watched", c.errno());
        }
        Memory.keep(event);
    }

    /** Stops watching a descriptor, if it is watched. */
    public void remove(int watched) {
        ByteBuffer event = Memory.allocate(EVENT_BYTES);
        c.call(control, descriptor, DELETE, watched, Memory.address(event));
        Memory.keep(event);
    }

    /** Waits for events, without a time limit. Returns their tokens; none after an interrupted call. For one thread. */
    public long[] await() throws NativeFault {
        int count = c.call(wait, descriptor, Memory.address(events), MAX_EVENTS, -1);
        if (count < 0) {
            if (c.errno() == Errno.EINTR) {
                return new long[0];
            }
            throw new NativeFault("epoll_wait", c.errno());
        }
        long[] tokens = new long[count];
        for (int index = 0; index < count; index++) {
            tokens[index] = events.getLong(index * EVENT_BYTES + DATA);
        }
        return tokens;
    }

    /** Closes the epoll descriptor. No thread may be waiting. */
    public void close() {
        c.close(descriptor);
    }
}
