package dev.paddock.executor.os.table;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.paddock.executor.CommandExecutor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A process as macOS reports it, decoded from the kernel's structures.
 *
 * @param startedMicros the start time, in microseconds since 1970
 */
record MacProcess(long pid, long parent, long group, boolean running, long startedMicros) {
    private static final int ZOMBIE = 5;
    private static final long MICROS = 1_000_000;

    /**
     * The offsets of {@code pbi_status} and the following fields in {@code struct proc_bsdinfo}.
     */
    private static final int STATUS = 4;

    private static final int PID = 12;
    private static final int PARENT = 16;
    private static final int GROUP = 100;
    private static final int START_SECONDS = 120;
    private static final int START_MICROS = 128;

    static MacProcess ofBsdInfo(ByteBuffer info) {
        return new MacProcess(
                info.getInt(PID),
                info.getInt(PARENT),
                info.getInt(GROUP),
                info.getInt(STATUS) != ZOMBIE,
                info.getLong(START_SECONDS) * MICROS + info.getLong(START_MICROS));
    }

    /**
     * Returns the marker in a {@code KERN_PROCARGS2}: the number of arguments, the program's path, NULs up to the
     * arguments, the arguments, and the environment up to an empty text. Ignores an argument that resembles the marker.
     */
    static Optional<String> marker(byte[] arguments) {
        if (arguments.length < Integer.BYTES) {
            return Optional.empty();
        }
        int count = ByteBuffer.wrap(arguments).order(ByteOrder.nativeOrder()).getInt();
        int at = endOfText(arguments, Integer.BYTES);
        while (at < arguments.length && arguments[at] == 0) {
            at++;
        }
        for (int passed = 0; passed < count && at < arguments.length; passed++) {
            at = endOfText(arguments, at) + 1;
        }
        String start = CommandExecutor.MARKER + "=";
        while (at < arguments.length && arguments[at] != 0) {
            int end = endOfText(arguments, at);
            String variable = new String(arguments, at, end - at, ISO_8859_1);
            if (variable.startsWith(start)) {
                return Optional.of(variable.substring(start.length()));
            }
            at = end + 1;
        }
        return Optional.empty();
    }

    private static int endOfText(byte[] bytes, int from) {
        int end = from;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return end;
    }
}
