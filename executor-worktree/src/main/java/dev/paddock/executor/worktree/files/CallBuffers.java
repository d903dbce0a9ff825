package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.posix.Memory;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Pools buffers for system calls with a path and a structure: allocation takes longer than the call. */
final class CallBuffers {
    /** The kernel's limit for a path. */
    static final int MAX_PATH = 4095;

    /** The offset of the path, after the structure. */
    static final int PATH = 256;

    private static final Queue<ByteBuffer> FREE = new ConcurrentLinkedQueue<>();

    private CallBuffers() {}

    /**
     * Returns a buffer with a path; the caller returns it.
     *
     * @param path at most {@link #MAX_PATH} bytes
     */
    static ByteBuffer with(byte[] path) {
        ByteBuffer free = FREE.poll();
        ByteBuffer buffer = free == null ? Memory.allocate(PATH + MAX_PATH + 1) : free;
        return buffer.put(PATH, path).put(PATH + path.length, (byte) 0);
    }

    static void giveBack(ByteBuffer buffer) {
        FREE.add(buffer);
    }
}
