package dev.paddock.executor.process.file;

import dev.paddock.executor.process.posix.Memory;
import java.nio.ByteBuffer;

/** Copies the content of files: holes stay holes, and the kernel shares blocks where it can. */
public final class FileContents {
    private static final int SMALL = 64 << 10;
    private static final int NO_MORE_DATA = -6; // ENXIO

    private final Kernel kernel;
    private final ByteBuffer buffer = Memory.allocate(256 << 10);

    public FileContents(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Copies a file of a size to an empty one; nothing that a command appends meanwhile. */
    public void copy(int from, int to, long size) throws Fault {
        if (size <= SMALL) {
            small(from, to, (int) size);
            return;
        }
        long at = 0;
        while (at < size) {
            long data = kernel.seek(from, at, true);
            if (data == NO_MORE_DATA) {
                break;
            }
            long start = data < 0 ? at : data;
            long hole = data < 0 ? size : kernel.seek(from, start, false);
            long end = hole < 0 ? size : Math.min(hole, size);
            kernel.position(from, start);
            kernel.position(to, start);
            part(from, to, end - start);
            at = Math.max(end, start + 1);
        }
        kernel.truncate(to, size);
    }

    private void small(int from, int to, int size) throws Fault {
        int length = 1;
        for (int left = size; left > 0 && length > 0; left -= length) {
            length = plain(from, to, left);
        }
    }

    private void part(int from, int to, long length) throws Fault {
        long left = length;
        boolean within = true;
        while (left > 0) {
            long done = within ? kernel.copyRange(from, to, left) : plain(from, to, left);
            if (done == 0) {
                return; // it has been truncated: the caller detects that by its status
            }
            within = done > 0 && within;
            left -= Math.max(0, done);
        }
    }

    private int plain(int from, int to, long most) throws Fault {
        int length = kernel.read(from, buffer, (int) Math.min(most, buffer.capacity()));
        kernel.write(to, buffer, length);
        return length;
    }
}
