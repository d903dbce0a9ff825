package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;

/** Inspects and changes processes that are not children of this JVM, by their pidfds. Linux. */
public final class ForeignProcesses {
    private static final int CLONE_NEWNET = 0x40000000;

    /**
     * {@code PIDFD_GET_INFO}: _IOWR(0xFF, 11, struct pidfd_info), whose first version has 64 bytes.
     */
    private static final long GET_INFO = 0xC040FF0BL;

    private static final int INFO_BYTES = 64;
    private static final int INFO_EXIT_CODE = 60;

    /**
     * {@code PIDFD_INFO_EXIT}: requests the exit status, which is available once the process has
     * been reaped.
     */
    private static final long WITH_EXIT = 1 << 3;

    private final LibC c;

    ForeignProcesses(LibC c) {
        this.c = c;
    }

    /** Returns whether the kernel can inspect the process behind a pidfd. */
    public boolean isInspectable(int descriptor) {
        return info(descriptor).isPresent();
    }

    /** Returns how a process ended; empty while it runs or is a zombie, and before Linux 6.15. */
    public Optional<Children.End> exitOf(int descriptor) {
        return info(descriptor)
                .filter(info -> (info.getLong(0) & WITH_EXIT) != 0)
                .map(info -> {
                    int status = info.getInt(INFO_EXIT_CODE);
                    int signal = status & 0x7f;
                    return signal == 0 ? new Children.End(true, (status >> 8) & 0xff) : new Children.End(false, signal);
                });
    }

    private Optional<ByteBuffer> info(int descriptor) {
        ByteBuffer info = Memory.allocate(INFO_BYTES);
        info.putLong(0, WITH_EXIT);
        long result = c.syscall(SystemCall.IOCTL, descriptor, GET_INFO, Memory.address(info));
        return result < 0 ? Optional.empty() : Optional.of(info);
    }

    /** Waits for the process behind a pidfd to exit; returns whether it has. */
    public boolean awaitEnd(int descriptor, Duration bound) {
        ByteBuffer poll = Memory.allocate(8);
        poll.putInt(0, descriptor).putShort(4, (short) PollSet.IN);
        long deadline = System.nanoTime() + bound.toNanos();
        while (true) {
            long millis = Math.max(0, (deadline - System.nanoTime() + 999_999) / 1_000_000);
            int ready = c.poll(Memory.address(poll), 1, (int) Math.min(millis, Integer.MAX_VALUE));
            if (ready != -Errno.EINTR) {
                return ready > 0;
            }
        }
    }

    /**
     * Moves the calling thread into the network namespace of the process behind a pidfd; returns 0 or the error number.
     */
    public int joinNetwork(int descriptor) {
        return (int) -c.syscall(SystemCall.SETNS, descriptor, CLONE_NEWNET);
    }

    /**
     * Duplicates a descriptor of the process behind a pidfd, closed on exec; returns its number here or the negative
     * error number. Linux 5.6; requires the right to trace the process.
     */
    public int take(int descriptor, int number) {
        return (int) c.syscall(SystemCall.PIDFD_GETFD, descriptor, number, 0);
    }

    /** Sets both limits of a resource; returns 0 or the error number. */
    public int limit(long pid, int resource, long limit) {
        ByteBuffer both = Memory.allocate(16);
        both.putLong(0, limit).putLong(8, limit);
        return (int) -c.syscall(SystemCall.PRLIMIT64, pid, resource, Memory.address(both), 0);
    }
}
