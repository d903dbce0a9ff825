package dev.paddock.executor.os.file;

import dev.paddock.executor.os.posix.Memory;
import java.nio.ByteBuffer;

/** Copies the content of files: holes stay holes, and the kernel shares blocks where it can. */
public final class FileContents {
    private static final int SMALL = 64 << 10;

    /** The kernel copies up to 2 GiB in one call, which no interrupt of the thread ends. */
    private static final long STEP = 64 << 20;

    private static final int NO_MORE_DATA = -6; // ENXIO

    private final Kernel kernel;
    private final ByteBuffer buffer = Memory.allocate(256 << 10);

    public FileContents(Kernel kernel) {
        this.kernel = kernel;
    }

    /**
     * Copies a file of a given size to an empty one, without what a command appends meanwhile, until the thread is
     * interrupted.
     */
    public void copy(int from, int to, long size) throws Fault {
        long unused = copy(from, to, size, Long.MAX_VALUE);
    }

    /**
     * Copies a file of a given size to an empty one, until the thread is interrupted.
     *
     * @param most how many bytes of data it may have, without its holes
     * @return how many it has
     * @throws Fault if it has more
     */
    public long copy(int from, int to, long size, long most) throws Fault {
        if (size <= SMALL) {
            requireWithin(size, most);
            small(from, to, (int) size);
            return size;
        }
        long at = 0;
        long copied = 0;
        while (at < size) {
            long data = kernel.seek(from, at, true);
            if (data == NO_MORE_DATA) {
                break;
            }
            long start = data < 0 ? at : data;
            long hole = data < 0 ? size : kernel.seek(from, start, false);
            long end = hole < 0 ? size : Math.min(hole, size);
            copied += Math.max(0, end - start);
            requireWithin(copied, most);
            kernel.position(from, start);
            kernel.position(to, start);
            part(from, to, end - start);
            at = Math.max(end, start + 1);
        }
        kernel.truncate(to, size);
        return copied;
    }

    private static void requireWithin(long bytes, long most) throws Fault {
        if (bytes > most) {
            throw new Fault(Fault.EFBIG);
        }
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
            Fault.throwIfInterrupted();
            long done = within ? kernel.copyRange(from, to, Math.min(left, STEP)) : plain(from, to, left);
            if (done == 0) {
                return; // truncated: the caller detects that by its status
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
