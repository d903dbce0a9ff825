package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Waits for processes, and sends them signals that cannot reach another process with a reused pid.
 */
public final class Children {
    private static final int P_PID = 1;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int CLD_EXITED = 1;
    private static final int SI_CODE = 8;

    /** The bits of a status that are kept; on macOS a process may set further ones. */
    private static final int STATUS_BITS = 0xff;

    private final LibC c;
    private final Platform platform;

    /**
     * The end of a process: its exit code, or the platform's number of the signal that ended it.
     */
    public record End(boolean exited, int number) {}

    Children(LibC c, Platform platform) {
        this.c = c;
        this.platform = platform;
        restoreChildSignal();
    }

    /**
     * Restores the default action of SIGCHLD: if it is ignored, which is inherited, the kernel
     * keeps no exit status. The JDK does the same for its own processes.
     */
    private void restoreChildSignal() {
        c.call(c.find("signal"), platform.childSignal(), 0);
    }

    /**
     * Returns how a child ended. It stays a zombie, so that its pid is not reused before
     * {@link #reap}.
     *
     * @param wait whether to wait for it to end
     * @return empty if it still runs
     * @throws NativeFault if it is not a child of this JVM or has already been reaped
     */
    public Optional<End> end(long pid, boolean wait) throws NativeFault {
        return waitFor(pid, WEXITED | platform.noWait() | (wait ? 0 : WNOHANG));
    }

    /** Reaps a child that has ended. */
    public void reap(long pid) throws NativeFault {
        waitFor(pid, WEXITED | WNOHANG);
    }

    private Optional<End> waitFor(long pid, int options) throws NativeFault {
        ByteBuffer info = Memory.allocate(128);
        int result;
        do {
            result = c.waitid(P_PID, pid, Memory.address(info), options);
        } while (result == -Errno.EINTR);
        if (result != 0) {
            throw new NativeFault("process " + pid + " could not be waited for", -result);
        }
        if (info.getInt(platform.infoPid()) == 0) {
            return Optional.empty();
        }
        return Optional.of(
                new End(info.getInt(SI_CODE) == CLD_EXITED, info.getInt(platform.infoStatus()) & STATUS_BITS));
    }

    /**
     * Opens a pidfd, which refers to the process even after its pid is reused. Linux 5.3.
     *
     * @return the descriptor, readable when the process has ended; empty if there is no such
     *     process, or the kernel lacks the call
     */
    public OptionalInt open(long pid) {
        if (!platform.hasLinuxCalls()) {
            return OptionalInt.empty();
        }
        long descriptor = c.syscall(SystemCall.PIDFD_OPEN, pid, 0);
        return descriptor < 0 ? OptionalInt.empty() : OptionalInt.of((int) descriptor);
    }

    /** Signals the process that a pidfd refers to; returns whether it was there. */
    public boolean signal(int pidDescriptor, int signal) {
        return c.syscall(SystemCall.PIDFD_SEND_SIGNAL, pidDescriptor, signal, 0, 0) == 0;
    }

    /**
     * Signals a process by its pid, or a group by its negative id; returns whether any process was
     * there.
     */
    public boolean signal(long pid, int signal) {
        return c.kill(pid, signal) == 0;
    }
}
