package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.util.List;

/** Makes one call of {@code poll(2)}. */
public final class PollSet {
    /** Readable, or at its end. */
    public static final int IN = 1;

    /** Writable, or without a reader. */
    public static final int OUT = 4;

    private static final int ENTRY_BYTES = 8;
    private static final int EVENTS = 4;
    private static final int FOUND = 6;

    private final LibC c;
    private final List<Entry> entries;
    private final ByteBuffer memory;

    /**
     * A descriptor to wait for.
     *
     * @param token identifies it
     * @param events {@link #IN} or {@link #OUT}
     */
    public record Entry(long token, int descriptor, int events) {}

    public PollSet(LibC c, List<Entry> entries) {
        this.c = c;
        this.entries = List.copyOf(entries);
        memory = Memory.allocate(Math.max(1, entries.size()) * ENTRY_BYTES);
        for (int index = 0; index < entries.size(); index++) {
            memory.putInt(index * ENTRY_BYTES, entries.get(index).descriptor());
            memory.putShort(
                    index * ENTRY_BYTES + EVENTS, (short) entries.get(index).events());
        }
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /**
     * Waits, without a time limit, until a descriptor is ready, at its end, or closed. Returns the tokens of those;
     * none after an interrupted call.
     */
    public long[] await() throws NativeFault {
        int ready = c.poll(Memory.address(memory), entries.size(), -1);
        if (ready < 0 && ready != -Errno.EINTR) {
            throw new NativeFault("poll", -ready);
        }
        long[] tokens = new long[Math.max(0, ready)];
        int next = 0;
        for (int index = 0; index < entries.size() && next < tokens.length; index++) {
            if (memory.getShort(index * ENTRY_BYTES + FOUND) != 0) {
                tokens[next++] = entries.get(index).token();
            }
        }
        return tokens;
    }

    public static void signal(LibC c, int descriptor) {
        ByteBuffer one = Memory.allocate(1);
        int unused = c.write(descriptor, Memory.address(one), 1);
        Memory.keep(one);
    }

    public static void drain(LibC c, int descriptor) {
        ByteBuffer one = Memory.allocate(1);
        int unused = c.read(descriptor, Memory.address(one), 1);
        Memory.keep(one);
    }
}
