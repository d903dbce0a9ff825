package dev.paddock.executor.os.posix;

import com.kenai.jffi.MemoryIO;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Allocates memory outside the heap as direct buffers: the JDK frees them and checks their bounds. */
public final class Memory {

    private Memory() {}

    /** Returns a zeroed buffer in the machine's byte order. */
    public static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /**
     * Returns the address of a direct buffer's memory. The buffer must stay reachable while the address is in use:
     * {@link #keep}.
     */
    public static long address(Buffer direct) {
        return MemoryIO.getInstance().getDirectBufferAddress(direct);
    }

    /** Keeps buffers reachable up to this call; put it after a native call that received their addresses. */
    @SuppressWarnings("ReachabilityFenceUsage") // a call that throws does not use its arguments any more
    static void keep(Object... used) {
        for (Object one : used) {
            Reference.reachabilityFence(one);
        }
    }
}
