package dev.paddock.executor.remote.shell;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Passes a command request through a terminal with its usual settings. Such a terminal takes lines of at most 4,095
 * bytes, acts on control characters unless they are quoted, and echoes everything.
 */
final class TerminalLines {
    /** Begins each line of a request but the last, which is empty; no answer begins with it. */
    static final String MORE = "+";

    /** Leaves room for a quote before each byte. */
    private static final int BYTES = 1500;

    /** The terminal's quoting character, {@code ^V}: the next one is data. */
    private static final int QUOTE = 0x16;

    private static final int DELETE = 0x7f;

    private static final Pattern ANSWER = Pattern.compile("slot \\d+ \\d+|ready \\d+|refused \\w.*|\uFFFD.*");

    private TerminalLines() {}

    /** Converts a request, which ends with its only newline, to lines for a terminal. */
    static byte[] of(byte[] request) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(request.length + request.length / 4);
        int inLine = 0;
        for (int index = 0; index < request.length - 1; index++) {
            byte value = request[index];
            boolean beginsCharacter = (value & 0xc0) != 0x80;
            if (inLine >= BYTES && beginsCharacter) {
                lines.write('\n');
                inLine = 0;
            }
            if (inLine++ == 0) {
                lines.writeBytes(MORE.getBytes(StandardCharsets.US_ASCII));
            }
            if ((value >= 0 && value < ' ') || value == DELETE) {
                lines.write(QUOTE);
            }
            lines.write(value);
        }
        lines.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
        return lines.toByteArray();
    }

    /** Returns whether a line is a slot's answer, not an echo. */
    static boolean isAnswer(String line) {
        return ANSWER.matcher(line).matches();
    }
}
