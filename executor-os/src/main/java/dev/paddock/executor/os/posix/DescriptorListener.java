package dev.paddock.executor.os.posix;

import dev.paddock.executor.log.LateLogger;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Receives descriptors over a unix socket ({@code SCM_RIGHTS}): unlike {@code pidfd_getfd}, needs no right over the
 * sending process. Linux. Not thread-safe.
 */
public final class DescriptorListener implements Closeable {
    /** The most descriptors of one message; the kernel takes 253. */
    public static final int MAX_AT_ONCE = 250;

    private static final int AF_UNIX = 1;
    private static final int PATH_BYTES = 108;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOCK_NONBLOCK = 0x800;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int O_PATH = 0x200000;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int WORD = 8;
    private static final int CONTROL_HEADER = 2 * WORD;
    private static final int MESSAGE_HEADER = 7 * WORD;

    private final LibC c;
    private final Path path;
    private final int listener;

    private DescriptorListener(LibC c, Path path, int listener) {
        this.c = c;
        this.path = path;
        this.listener = listener;
    }

    /**
     * Listens at a path.
     *
     * @param path an unused path, in a directory that only this user can access
     * @throws IOException if the socket cannot be opened there
     */
    public static DescriptorListener at(Posix posix, Path path) throws IOException {
        LibC c = posix.c();
        int socket = required(
                "a unix socket could not be opened",
                c.syscall(SystemCall.SOCKET, AF_UNIX, Sockets.STREAM | SOCK_CLOEXEC, 0));
        DescriptorListener made = new DescriptorListener(c, path, socket);
        boolean done = false;
        try {
            made.bind(posix.descriptors());
            required("the unix socket " + path + " could not listen", c.syscall(SystemCall.LISTEN, socket, 1));
            done = true;
            return made;
        } finally {
            if (!done) {
                made.close();
            }
        }
    }

    /** Binds by the directory's descriptor: the path may be longer than a socket's name. */
    private void bind(Descriptors descriptors) throws IOException {
        int directory = descriptors.open(String.valueOf(path.getParent()), O_PATH);
        try {
            ByteBuffer name = Memory.allocate(2 + PATH_BYTES)
                    .put(address("/proc/self/fd/" + directory + "/" + path.getFileName()));
            long result = c.syscall(SystemCall.BIND, listener, Memory.address(name), name.position());
            Memory.keep(name);
            required("the unix socket " + path + " could not be bound", result);
        } finally {
            descriptors.close(directory);
        }
    }

    /**
     * Returns a unix socket's address in the kernel's form.
     *
     * @throws IllegalArgumentException if the path is longer than 107 bytes
     */
    public static byte[] address(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= PATH_BYTES) {
            throw new IllegalArgumentException("'" + path + "' is longer than a unix socket's path may be");
        }
        return ByteBuffer.allocate(2 + bytes.length + 1)
                .order(ByteOrder.nativeOrder())
                .putShort((short) AF_UNIX)
                .put(bytes)
                .array();
    }

    /**
     * Returns the control part of a message that sends descriptors.
     *
     * @param descriptors at most {@link #MAX_AT_ONCE}
     */
    public static byte[] control(List<Integer> descriptors) {
        int length = CONTROL_HEADER + Integer.BYTES * descriptors.size();
        ByteBuffer control =
                ByteBuffer.allocate((length + WORD - 1) / WORD * WORD).order(ByteOrder.nativeOrder());
        control.putLong(length).putInt(SOL_SOCKET).putInt(SCM_RIGHTS);
        descriptors.forEach(control::putInt);
        return control.array();
    }

    /**
     * Returns a message's header.
     *
     * @param vector the address of the vector of its one part
     * @param control the address of its control part
     * @param length the length of the control part
     */
    public static byte[] header(long vector, long control, int length) {
        ByteBuffer header = ByteBuffer.allocate(MESSAGE_HEADER).order(ByteOrder.nativeOrder());
        header.position(2 * WORD); // no name: the socket is connected
        return header.putLong(vector)
                .putLong(1)
                .putLong(control)
                .putLong(length)
                .array();
    }

    /**
     * Receives the descriptors that one process has sent.
     *
     * @param count how many
     * @return the descriptors, in order, closed on exec; the caller closes them
     * @throws IOException if no process has connected, or it sent another number of descriptors
     */
    public List<Integer> take(int count) throws IOException {
        int connection = required(
                "no process has connected to the unix socket " + path,
                c.syscall(SystemCall.ACCEPT4, listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK));
        List<Integer> taken = new ArrayList<>();
        boolean done = false;
        try {
            while (taken.size() < count) {
                receive(connection, taken);
            }
            if (taken.size() > count) {
                throw new IOException(taken.size() + " descriptors were sent, not " + count);
            }
            done = true;
            return List.copyOf(taken);
        } finally {
            c.close(connection);
            if (!done) {
                taken.forEach(c::close);
            }
        }
    }

    private void receive(int connection, List<Integer> taken) throws IOException {
        int capacity = control(List.of()).length + Integer.BYTES * (MAX_AT_ONCE + 2);
        ByteBuffer control = Memory.allocate(capacity);
        ByteBuffer content = Memory.allocate(1);
        ByteBuffer vector = Memory.allocate(2 * WORD);
        vector.putLong(Memory.address(content)).putLong(1);
        ByteBuffer header = Memory.allocate(MESSAGE_HEADER);
        header.put(header(Memory.address(vector), Memory.address(control), capacity));
        long result =
                c.syscall(SystemCall.RECVMSG, connection, Memory.address(header), MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        Memory.keep(control, content, vector, header);
        required("descriptors could not be received at the unix socket " + path, result);
        int length = (int) control.getLong(0);
        boolean hasRights = control.getInt(WORD) == SOL_SOCKET && control.getInt(WORD + Integer.BYTES) == SCM_RIGHTS;
        if (result == 0 || !hasRights || length <= CONTROL_HEADER) {
            throw new IOException("a message at the unix socket " + path + " has no descriptors");
        }
        for (int at = CONTROL_HEADER; at < length; at += Integer.BYTES) {
            taken.add(control.getInt(at));
        }
    }

    private static int required(String failure, long result) throws NativeFault {
        if (result < 0) {
            throw new NativeFault(failure, (int) -result);
        }
        return (int) result;
    }

    /** Stops listening, and removes the path. */
    @Override
    public void close() {
        c.close(listener);
        try {
            Files.deleteIfExists(path);
        } catch (IOException fault) {
            LateLogger.of(DescriptorListener.class)
                    .log(System.Logger.Level.WARNING, path + " could not be removed", fault);
        }
    }
}
