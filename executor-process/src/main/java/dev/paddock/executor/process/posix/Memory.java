package dev.paddock.executor.process.posix;

import com.kenai.jffi.MemoryIO;
import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory outside the heap, as direct buffers: they free themselves, and the JDK checks their bounds. */
public final class Memory {

    private Memory() {}

    /** A zeroed buffer in the machine's byte order. */
    public static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** Where a direct buffer's memory starts. The buffer has to stay reachable while the address is in use: {@link #keep}. */
    public static long address(Buffer direct) {
        return MemoryIO.getInstance().getDirectBufferAddress(direct);
    }

    /** Stands after a call that was given addresses: what they point to is not collected before. */
    @SuppressWarnings("ReachabilityFenceUsage") // a call that throws has no further use for its arguments
    static void keep(Object... used) {
        for (Object one : used) {
            Reference.reachabilityFence(one);
        }
    }
}
