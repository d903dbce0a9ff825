package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;

/** Waits for processes, and signals them without reaching another process with a reused pid. */
public final class Children {
    private static final int P_PID = 1;
    private static final int WNOHANG = 1;
    private static final int WEXITED = 4;
    private static final int CLD_EXITED = 1;
    private static final int SI_CODE = 8;

    /** The used bits of a status; on macOS a process may set others. */
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
     * Restores the default action of SIGCHLD: if it is ignored, which is inherited, the kernel keeps no exit status.
     * The JDK restores it for its own processes, too.
     */
    private void restoreChildSignal() {
        c.call(c.find("signal"), platform.childSignal(), 0);
    }

    /**
     * Returns how a child ended. It stays a zombie, so that its pid is not reused before {@link #reap}.
     *
     * @param wait whether to wait for its exit
     * @return empty if it still runs
     * @throws NativeFault if it is not a child of this JVM or has been reaped
     */
    public Optional<End> end(long pid, boolean wait) throws NativeFault {
        return waitFor(pid, WEXITED | platform.noWait() | (wait ? 0 : WNOHANG));
    }

    /** Reaps an exited child. */
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
     * @return the descriptor, readable when the process has exited; empty if the process does not exist, or the kernel
     *     lacks the call
     */
    public OptionalInt open(long pid) {
        if (!platform.hasLinuxCalls()) {
            return OptionalInt.empty();
        }
        long descriptor = c.syscall(SystemCall.PIDFD_OPEN, pid, 0);
        return descriptor < 0 ? OptionalInt.empty() : OptionalInt.of((int) descriptor);
    }

    /** Signals a pidfd's process; returns whether it existed. */
    public boolean signal(int pidDescriptor, int signal) {
        return c.syscall(SystemCall.PIDFD_SEND_SIGNAL, pidDescriptor, signal, 0, 0) == 0;
    }

    /** Signals a process by its pid, or a group by its negative id; returns whether any process existed. */
    public boolean signal(long pid, int signal) {
        return c.kill(pid, signal) == 0;
    }
}
