package dev.paddock.executor.process.warm;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.DescriptorListener;
import dev.paddock.executor.os.posix.Sockets;
import dev.paddock.executor.os.posix.SystemCall;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Builds a batch of system calls for a {@link SyscallTrampoline}, which makes them in order until one fails. */
final class SyscallBatch {
    private static final int HEADER_BYTES = 16;
    private static final int CALL_BYTES = 64;
    private static final int WORD = 8;
    private static final long END = -1;

    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;
    private static final int F_SETFD = 2;
    private static final int FD_CLOEXEC = 1;
    private static final int AF_UNIX = 1;

    private final Architecture architecture;
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();
    private final List<Call> calls = new ArrayList<>();

    /** The purpose of a call, and its word in an answer. */
    enum Purpose {
        /** To move descriptors, to enter cgroups, to write an answer. */
        SETTING_UP(0),
        /** To enter the working directory. */
        ENTERING(1),
        /** To execute another program. */
        EXECUTING(2);

        private final long word;

        Purpose(long word) {
            this.word = word;
        }

        private static Purpose of(long word) {
            return word == ENTERING.word ? ENTERING : word == EXECUTING.word ? EXECUTING : SETTING_UP;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared; boxed numbers would slow down each start
    private record Call(SystemCall what, Purpose purpose, long[] arguments) {}

    /**
     * An answer of the trampoline.
     *
     * @param error the error number of the failed call; 0 if none has failed
     * @param purpose the purpose of that call
     */
    record Answer(int error, Purpose purpose) {

        /**
         * Reads the next answer.
         *
         * @return empty at the end: the trampoline has exited or executed another program
         * @throws IOException if the bytes are not an answer
         */
        static Optional<Answer> read(InputStream from) throws IOException {
            byte[] bytes = from.readNBytes(SyscallTrampoline.ANSWER_BYTES);
            if (bytes.length == 0) {
                return Optional.empty();
            }
            if (bytes.length < SyscallTrampoline.ANSWER_BYTES) {
                throw new IOException("the native stub sent a part of an answer: "
                        + HexFormat.of().formatHex(bytes));
            }
            ByteBuffer words = littleEndian(bytes);
            return Optional.of(new Answer((int) -words.getLong(), Purpose.of(words.getLong())));
        }

        boolean isGood() {
            return error == 0;
        }
    }

    SyscallBatch(Architecture architecture) {
        this.architecture = architecture;
    }

    /** Duplicates a descriptor to another number, and closes the original. */
    SyscallBatch move(int from, int to) {
        return duplicate(from, to).close(from);
    }

    SyscallBatch duplicate(int from, int to) {
        return call(SystemCall.DUP3, Purpose.SETTING_UP, from, to, 0);
    }

    SyscallBatch close(int descriptor) {
        return call(SystemCall.CLOSE, Purpose.SETTING_UP, descriptor);
    }

    /** Makes {@link #execute} close a descriptor. */
    SyscallBatch closeOnExecute(int descriptor) {
        return call(SystemCall.FCNTL, Purpose.SETTING_UP, descriptor, F_SETFD, FD_CLOEXEC);
    }

    SyscallBatch write(int descriptor, byte[] bytes) {
        return call(SystemCall.WRITE, Purpose.SETTING_UP, descriptor, put(bytes), bytes.length);
    }

    /** Writes the answer that no call has failed so far. */
    SyscallBatch report() {
        return write(SyscallTrampoline.ANSWERS, new byte[SyscallTrampoline.ANSWER_BYTES]);
    }

    /** Replaces standard input by {@code /dev/null}: the opened file takes the lowest free number. */
    SyscallBatch emptyInput() {
        return close(0).call(SystemCall.OPENAT, Purpose.SETTING_UP, AT_FDCWD, put("/dev/null"), 0, 0);
    }

    /** Starts a session, makes an opened terminal its controlling one, and replaces the standard streams by it. */
    SyscallBatch terminal(String path) {
        return call(SystemCall.SETSID, Purpose.SETTING_UP)
                .close(0)
                .call(SystemCall.OPENAT, Purpose.SETTING_UP, AT_FDCWD, put(path), O_RDWR, 0)
                .duplicate(0, 1)
                .duplicate(0, 2);
    }

    /** Opens an IPv4 socket, which takes the lowest free number. */
    SyscallBatch socket(int type) {
        return call(SystemCall.SOCKET, Purpose.SETTING_UP, Sockets.AF_INET, type, 0);
    }

    /** Assigns the loopback address and binds the sockets, as a plan says. */
    SyscallBatch prepare(SocketPlan plan, int first) {
        plan.alias().ifPresent(alias -> {
            configure(first, Sockets.SIOCSIFADDR, alias.label(), alias.address());
            configure(first, Sockets.SIOCSIFNETMASK, alias.label(), alias.mask());
        });
        for (int index = 0; index < plan.bindings().size(); index++) {
            int socket = first + index;
            plan.bindings().get(index).name().ifPresent(name -> bind(socket, Sockets.socketAddress(name)));
        }
        return this;
    }

    private void bind(int socket, byte[] name) {
        call(SystemCall.BIND, Purpose.SETTING_UP, socket, put(name), name.length);
    }

    private void configure(int socket, int request, String label, InetAddress value) {
        align();
        call(SystemCall.IOCTL, Purpose.SETTING_UP, socket, request, put(Sockets.interfaceRequest(label, value)));
    }

    /** Connects a new unix socket under the given number, and sends descriptors over it. */
    SyscallBatch send(int socket, String path, List<Integer> descriptors) {
        byte[] name = DescriptorListener.address(path);
        call(SystemCall.SOCKET, Purpose.SETTING_UP, AF_UNIX, Sockets.STREAM, 0);
        call(SystemCall.CONNECT, Purpose.ENTERING, socket, put(name), name.length);
        int most = DescriptorListener.MAX_AT_ONCE;
        for (int from = 0; from < descriptors.size(); from += most) {
            send(socket, descriptors.subList(from, Math.min(from + most, descriptors.size())));
        }
        return this;
    }

    private void send(int socket, List<Integer> descriptors) {
        byte[] control = DescriptorListener.control(descriptors);
        align();
        long content = put(new byte[WORD]);
        long vector =
                put(littleEndian(new byte[2 * WORD]).putLong(content).putLong(1).array());
        long header = put(DescriptorListener.header(vector, put(control), control.length));
        call(SystemCall.SENDMSG, Purpose.SETTING_UP, socket, header, 0);
    }

    SyscallBatch enter(String directory) {
        return call(SystemCall.CHDIR, Purpose.ENTERING, put(directory));
    }

    SyscallBatch execute(List<String> argv, List<String> env) {
        return call(SystemCall.EXECVE, Purpose.EXECUTING, put(argv.get(0)), put(argv), put(env));
    }

    private SyscallBatch call(SystemCall what, Purpose purpose, long... arguments) {
        calls.add(new Call(what, purpose, arguments));
        return this;
    }

    private long put(byte[] bytes) {
        long address = SyscallTrampoline.MEMORY + HEADER_BYTES + data.size();
        data.writeBytes(bytes);
        return address;
    }

    private long put(String text) {
        long address = put(text.getBytes(UTF_8));
        data.write(0);
        return address;
    }

    /** Adds a null-terminated array of C strings. */
    private long put(List<String> texts) {
        byte[] table = new byte[WORD * (texts.size() + 1)];
        ByteBuffer pointers = littleEndian(table);
        texts.forEach(text -> pointers.putLong(put(text)));
        align();
        return put(table);
    }

    private void align() {
        while (data.size() % WORD != 0) {
            data.write(0);
        }
    }

    /**
     * Returns the batch in the form that the trampoline reads.
     *
     * @throws SpawnException if it exceeds the program's memory, which exceeds the kernel's limit for a command
     */
    byte[] encode() {
        align();
        int first = HEADER_BYTES + data.size();
        int length = first + CALL_BYTES * calls.size() + WORD;
        if (length > SyscallTrampoline.MEMORY_BYTES) {
            throw new SpawnException("the command and its environment are longer than the system takes: " + length
                    + " bytes; set fewer or shorter variables");
        }
        byte[] encoded = new byte[length];
        ByteBuffer batch = littleEndian(encoded);
        batch.putLong(length).putLong(SyscallTrampoline.MEMORY + first).put(data.toByteArray());
        for (Call call : calls) {
            int start = batch.position();
            batch.putLong(call.what().number(architecture)).putLong(call.purpose().word);
            for (long argument : call.arguments()) {
                batch.putLong(argument);
            }
            batch.position(start + CALL_BYTES);
        }
        batch.putLong(END);
        return encoded;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
