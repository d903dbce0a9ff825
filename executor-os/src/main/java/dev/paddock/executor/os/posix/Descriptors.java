package dev.paddock.executor.os.posix;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Creates descriptors, all of which are closed on exec in every other process that the JVM starts. */
public final class Descriptors {
    private static final int O_WRONLY = 1;
    private static final int O_RDWR = 2;
    private static final int OWNER_READS_AND_WRITES = 0600;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_NONBLOCK = 0x800;
    private static final int F_SETFL = 4;
    private static final int FIONREAD = 0x541B;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int MFD_EXEC = 0x10;
    private static final int F_ADD_SEALS = 1033;
    private static final int ALL_SEALS = 0xf;
    /** The capacity of a pipe, on macOS always and on Linux by default. */
    private static final int PIPE_BYTES = 65_536;

    private final LibC c;
    private final Platform platform;
    private final long pipe;
    private final long temporaryFile;
    private final long unlink;
    private final long fcntl;
    private final long ioctl;
    private final long open;
    private final long pwrite;
    private final long memfdCreate;
    private final long mkfifo;
    private final int emptyInput;

    public record Pipe(int readEnd, int writeEnd) {}

    Descriptors(LibC c, Platform platform) throws NativeFault {
        this.c = c;
        this.platform = platform;
        pipe = c.find(platform.hasLinuxCalls() ? "pipe2" : "pipe");
        temporaryFile = c.find("mkstemp");
        unlink = c.find("unlink");
        fcntl = c.find("fcntl");
        ioctl = c.find("ioctl");
        open = c.find("open");
        pwrite = c.find("pwrite");
        memfdCreate = c.find("memfd_create");
        mkfifo = c.find("mkfifo");
        emptyInput = open("/dev/null", 0);
    }

    public void close(int descriptor) {
        c.close(descriptor);
    }

    /** Returns a descriptor that is at its end at once; shared, must never be closed. */
    public int emptyInput() {
        return emptyInput;
    }

    /** Returns a descriptor at its end of input; shared, must never be closed. */
    public Pipe pipe() throws NativeFault {
        ByteBuffer ends = Memory.allocate(8);
        if (c.call(pipe, Memory.address(ends), bornClosedOnExec()) != 0) {
            throw new NativeFault("a pipe could not be made", c.errno());
        }
        Pipe made = new Pipe(ends.getInt(0), ends.getInt(4));
        closeOnExec(made.readEnd());
        closeOnExec(made.writeEnd());
        return made;
    }

    private int bornClosedOnExec() {
        return platform.hasLinuxCalls() ? O_CLOEXEC : 0;
    }

    /**
     * Sets close-on-exec. Where descriptors cannot be created with it, processes that other threads start meanwhile
     * inherit them. macOS's {@code ioctl} is variadic with another calling convention, but this call passes no variadic
     * argument.
     */
    private void closeOnExec(int descriptor) {
        if (!platform.hasLinuxCalls()) {
            c.call(ioctl, descriptor, platform.closeOnExec());
        }
    }

    /** Makes writes return instead of blocking; at this end only, not the child's. */
    public void makeNonBlocking(int descriptor) throws NativeFault {
        if (c.call(fcntl, descriptor, F_SETFL, O_NONBLOCK) != 0) {
            throw new NativeFault("a pipe could not be made non-blocking", c.errno());
        }
    }

    /** Returns the number of bytes in a pipe, or its capacity where the system does not report that. */
    public int pending(int descriptor) {
        if (!platform.hasLinuxCalls()) {
            return PIPE_BYTES;
        }
        ByteBuffer count = Memory.allocate(8);
        return c.call(ioctl, descriptor, FIONREAD, Memory.address(count)) == 0 ? count.getInt(0) : 0;
    }

    /** Creates an anonymous file with this content, to be read from its start. */
    public int file(byte[] content) throws NativeFault {
        int descriptor = platform.hasLinuxCalls() ? memoryFile(MFD_CLOEXEC) : namelessFile();
        try {
            write(descriptor, content, 0);
        } catch (NativeFault fault) {
            close(descriptor);
            throw fault;
        }
        return descriptor;
    }

    /**
     * Creates a sealed anonymous file that can be executed as {@code /proc/self/fd/N}, and that no process can change.
     * Linux. Since 6.3 a machine may refuse files that are created without a flag about execution, which older kernels
     * do not know.
     */
    public int program(byte[] image) throws NativeFault {
        int writable = executableMemoryFile();
        try {
            write(writable, image, 0);
            if (c.call(fcntl, writable, F_ADD_SEALS, ALL_SEALS) != 0) {
                throw new NativeFault("an anonymous file could not be sealed", c.errno());
            }
            return open("/proc/self/fd/" + writable, 0); // a file open for writing cannot be executed
        } finally {
            close(writable);
        }
    }

    private int executableMemoryFile() throws NativeFault {
        int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
        try {
            return memoryFile(flags | MFD_EXEC);
        } catch (NativeFault unknown) {
            return memoryFile(flags);
        }
    }

    private int memoryFile(int flags) throws NativeFault {
        ByteBuffer name = text("paddock");
        int descriptor = memfdCreate == 0 ? -1 : c.call(memfdCreate, Memory.address(name), flags);
        Memory.keep(name);
        if (descriptor < 0) {
            throw new NativeFault("an anonymous file could not be made", memfdCreate == 0 ? Errno.ENOSYS : c.errno());
        }
        return descriptor;
    }

    /** Creates a temporary file, for this user only, and unlinks its name at once. */
    private int namelessFile() throws NativeFault {
        ByteBuffer name = text(System.getProperty("java.io.tmpdir", "/tmp") + "/paddock-XXXXXX");
        int descriptor = c.call(temporaryFile, Memory.address(name));
        int error = c.errno();
        if (descriptor >= 0) {
            c.call(unlink, Memory.address(name));
            closeOnExec(descriptor);
        }
        Memory.keep(name);
        if (descriptor < 0) {
            throw new NativeFault("a temporary file could not be made", error);
        }
        return descriptor;
    }

    /** Writes into a file at an offset, without moving its own offset. */
    public void write(int descriptor, byte[] content, long offset) throws NativeFault {
        ByteBuffer bytes = Memory.allocate(Math.max(1, content.length)).put(content);
        int done = 0;
        while (done < content.length) {
            int count = c.call(
                    pwrite, descriptor, Memory.address(bytes) + done, (long) content.length - done, offset + done);
            if (count < 0 && c.errno() != Errno.EINTR) {
                throw new NativeFault("an anonymous file could not be written", c.errno());
            }
            done += Math.max(0, count);
        }
        Memory.keep(bytes);
    }

    /**
     * Creates a named pipe for this user only, and opens both ends at once, as Linux allows: opening one end alone
     * blocks until the other is open.
     *
     * @param path an unused path
     * @return the descriptor of both ends
     */
    public int namedPipe(String path) throws NativeFault {
        ByteBuffer name = text(path);
        int result = c.call(mkfifo, Memory.address(name), OWNER_READS_AND_WRITES);
        Memory.keep(name);
        if (result != 0) {
            throw new NativeFault("the named pipe " + path + " could not be made", c.errno());
        }
        return open(path, O_RDWR);
    }

    public int forWriting(String path) throws NativeFault {
        return open(path, O_WRONLY);
    }

    int open(String path, int flags) throws NativeFault {
        ByteBuffer name = text(path);
        int descriptor = c.call(open, Memory.address(name), flags | bornClosedOnExec(), 0);
        Memory.keep(name);
        if (descriptor < 0) {
            throw new NativeFault(path + " could not be opened", c.errno());
        }
        closeOnExec(descriptor);
        return descriptor;
    }

    /**
     * Tests whether a directory can be entered.
     *
     * @param path the directory's path, passed as UTF-8
     * @return 0, or the reason as a positive error number
     */
    public int directoryProblem(String path) {
        ByteBuffer name = text(path);
        int descriptor = c.call(open, Memory.address(name), platform.mayEnter() | bornClosedOnExec(), 0);
        Memory.keep(name);
        if (descriptor < 0) {
            return c.errno();
        }
        c.close(descriptor);
        return 0;
    }

    private static ByteBuffer text(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return Memory.allocate(bytes.length + 1).put(bytes);
    }
}
