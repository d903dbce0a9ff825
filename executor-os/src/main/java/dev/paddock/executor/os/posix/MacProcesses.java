package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads macOS's information about processes through {@code libproc} and {@code sysctl}, according to the published
 * sources of its kernel. Not run on macOS yet. Thread-safe.
 */
public final class MacProcesses {
    /** {@code PROC_PIDTBSDINFO}, and the size of {@code struct proc_bsdinfo}. */
    private static final int BSD_INFO = 3;

    private static final int BSD_INFO_BYTES = 136;

    /** The argument that includes zombies. */
    private static final int WITH_ZOMBIES = 1;

    private static final int CTL_KERN = 1;
    private static final int KERN_PROCARGS2 = 49;

    /** {@code ARG_MAX}; the kernel refuses a larger buffer. */
    private static final int MAX_ARGUMENTS = 1 << 20;

    /** Spare entries: more processes may have started by the second call. */
    private static final int SPARE = 64;

    private final LibC c;
    private final long listAll;
    private final long info;
    private final long session;
    private final long sysctl;
    private Optional<ByteBuffer> arguments = Optional.empty();

    private MacProcesses(LibC c) {
        this.c = c;
        listAll = c.find("proc_listallpids");
        info = c.find("proc_pidinfo");
        session = c.find("getsid");
        sysctl = c.find("sysctl");
    }

    /** Returns the process information of this machine; empty on systems other than macOS. */
    public static Optional<MacProcesses> instance() {
        return LibC.isMac()
                ? LibC.instance().map(MacProcesses::new).filter(MacProcesses::isComplete)
                : Optional.empty();
    }

    private boolean isComplete() {
        return listAll != 0 && info != 0 && session != 0 && sysctl != 0;
    }

    /** Returns the pids of all processes, as 32-bit words up to the buffer's limit. */
    public ByteBuffer pids() {
        int expected = Math.max(0, c.call(listAll, 0, 0)) + SPARE;
        ByteBuffer pids = Memory.allocate(Integer.BYTES * expected);
        int found = c.call(listAll, Memory.address(pids), pids.capacity());
        Memory.keep(pids);
        return pids.limit(Integer.BYTES * Math.clamp(found, 0, expected));
    }

    /**
     * Returns a process's {@code struct proc_bsdinfo}, even a zombie's; empty if it does not exist, or is not visible.
     */
    public Optional<ByteBuffer> info(long pid) {
        ByteBuffer found = Memory.allocate(BSD_INFO_BYTES);
        int bytes = c.call(info, pid, BSD_INFO, WITH_ZOMBIES, Memory.address(found), BSD_INFO_BYTES, 0);
        Memory.keep(found);
        return bytes == BSD_INFO_BYTES ? Optional.of(found) : Optional.empty();
    }

    /** Returns the session of a process; -1 if it does not exist, or is a zombie. */
    public long session(long pid) {
        return c.call(session, pid);
    }

    /**
     * Returns a process's arguments and environment in the form of {@code KERN_PROCARGS2}; empty if it is another
     * user's. The environment is missing for programs that the system protects.
     */
    public synchronized Optional<byte[]> arguments(long pid) {
        ByteBuffer name = Memory.allocate(3 * Integer.BYTES);
        name.putInt(0, CTL_KERN).putInt(4, KERN_PROCARGS2).putInt(8, (int) pid);
        ByteBuffer length = Memory.allocate(Long.BYTES).putLong(0, MAX_ARGUMENTS);
        ByteBuffer into = arguments.orElseGet(() -> Memory.allocate(MAX_ARGUMENTS));
        arguments = Optional.of(into);
        int result = c.call(sysctl, Memory.address(name), 3, Memory.address(into), Memory.address(length), 0, 0);
        Memory.keep(name, length, into);
        if (result != 0) {
            return Optional.empty();
        }
        byte[] found = new byte[Math.clamp(length.getLong(0), 0, MAX_ARGUMENTS)];
        into.get(0, found);
        return Optional.of(found);
    }
}
