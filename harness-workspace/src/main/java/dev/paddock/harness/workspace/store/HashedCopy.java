package dev.paddock.harness.workspace.store;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.posix.Memory;
import java.nio.ByteBuffer;

/** Copies a large file, with its holes, and computes its {@link PageHash} in one pass. */
final class HashedCopy {
    private static final int NO_MORE_DATA = -6; // ENXIO

    private final Kernel kernel;
    private final ByteBuffer buffer = Memory.allocate(256 << 10);

    HashedCopy(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Receives data to write. */
    @FunctionalInterface
    interface Sink {
        /** Takes the first bytes of a direct buffer, for an offset. */
        void write(ByteBuffer data, long offset, int length) throws Fault;
    }

    /** Returns a sink that writes to a file. */
    Sink to(int descriptor) {
        return (data, offset, length) -> {
            kernel.position(descriptor, offset);
            kernel.write(descriptor, data, length);
        };
    }

    Hash copy(int from, long size, Sink sink) throws Fault {
        PageHash hash = new PageHash();
        long at = 0;
        while (at < size) {
            long data = kernel.seek(from, at, true);
            long start = data == NO_MORE_DATA ? size : data < 0 ? at : Math.min(data, size);
            long hole = data < 0 ? size : kernel.seek(from, start, false);
            long end = hole < 0 ? size : Math.min(hole, size);
            if (start < end) {
                kernel.position(from, start);
                if (!part(from, start, end, hash, sink)) {
                    break;
                }
            }
            at = Math.max(end, start);
        }
        return hash.finish(size);
    }

    /** Returns false if the file has been truncated, which the reader's check reports. */
    private boolean part(int from, long start, long end, PageHash hash, Sink sink) throws Fault {
        for (long at = start; at < end; ) {
            Fault.throwIfInterrupted();
            int length = kernel.read(from, buffer, (int) Math.min(end - at, buffer.capacity()));
            if (length == 0) {
                return false;
            }
            hash.add(at, buffer.slice(0, length));
            sink.write(buffer, at, length);
            at += length;
        }
        return true;
    }
}
