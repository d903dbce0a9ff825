package dev.paddock.executor.process.warm;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.DescriptorListener;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.Posix;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Receives sockets of another network namespace that this JVM may not enter. A process that another program starts
 * there opens and binds them, and sends them over a unix socket. Linux.
 *
 * <p>The process runs {@link #program()}, which needs no other file, reads {@link #request} from standard input, and
 * answers on standard output. It sees the unix socket {@link #socket()} at a path of its own. Not thread-safe.
 *
 * @since 0.1
 */
public final class SocketHandover implements Closeable {
    /** The length of the answer in bytes. */
    public static final int ANSWER_BYTES = SyscallTrampoline.ANSWER_BYTES;

    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int FIRST = 3;

    private final Architecture architecture;
    private final Path program;
    private final Path socket;
    private final DescriptorListener listener;

    private SocketHandover(Architecture architecture, Path program, Path socket, DescriptorListener listener) {
        this.architecture = architecture;
        this.program = program;
        this.socket = socket;
        this.listener = listener;
    }

    /**
     * Prepares a handover.
     *
     * @param path prefix of the paths of two files to create, in a directory that other users cannot enter
     * @return the handover; the caller closes it
     * @throws IOException if the files cannot be created
     */
    public static SocketHandover prepare(Path path) throws IOException {
        Posix posix = Posix.instance().orElseThrow(() -> new IOException("the C library cannot be called"));
        Architecture architecture = Architecture.current()
                .orElseThrow(() -> new IOException("there is no native program for this machine's processor"));
        Path program = path.resolveSibling(path.getFileName() + "-program");
        Path socket = path.resolveSibling(path.getFileName() + "-socket");
        boolean done = false;
        try {
            // The process may be another user's: the directory keeps others out.
            Files.createFile(program, PosixFilePermissions.asFileAttribute(Set.of()));
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.write(program, SyscallTrampoline.of(architecture).image(INPUT, OUTPUT));
            DescriptorListener listener = DescriptorListener.at(posix, socket);
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
            done = true;
            return new SocketHandover(architecture, program, socket, listener);
        } finally {
            if (!done) {
                Files.deleteIfExists(program);
                Files.deleteIfExists(socket);
            }
        }
    }

    /** {@return the executable file} */
    public Path program() {
        return program;
    }

    /** {@return the unix socket} */
    public Path socket() {
        return socket;
    }

    /**
     * Returns the request for the process's standard input. Start the process with no descriptors but its standard
     * streams: the request uses the numbers after them.
     *
     * @param plan the sockets
     * @param path where the process sees the unix socket
     */
    public byte[] request(SocketPlan plan, String path) {
        SyscallBatch calls = new SyscallBatch(architecture);
        plan.types().forEach(calls::socket);
        int end = FIRST + plan.bindings().size();
        calls.prepare(plan, FIRST)
                .send(end, path, IntStream.range(FIRST, end).boxed().toList());
        return calls.write(OUTPUT, new byte[ANSWER_BYTES]).encode();
    }

    /**
     * Receives the sockets, after the process has answered.
     *
     * @param plan the sockets
     * @param answer the process's output
     * @return their descriptors, in the plan's order, closed on exec; the caller closes them
     * @throws IOException if it could not send them; the message gives the reason
     */
    public List<Integer> take(SocketPlan plan, byte[] answer) throws IOException {
        SyscallBatch.Answer read = SyscallBatch.Answer.read(new ByteArrayInputStream(answer))
                .orElseThrow(() -> new IOException("the program that opens the sockets has ended without an answer"));
        if (!read.isGood()) {
            String what = read.purpose() == SyscallBatch.Purpose.ENTERING
                    ? "reach the socket " + socket
                    : "open, bind or send a socket";
            throw new IOException(
                    "the program that opens the sockets could not " + what + ": " + Errno.text(read.error()));
        }
        return listener.take(plan.bindings().size());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        Files.deleteIfExists(program);
    }
}
