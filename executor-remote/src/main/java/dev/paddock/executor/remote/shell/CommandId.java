package dev.paddock.executor.remote.shell;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A command's name within its executor: the value of its marker, and the mark at the end of its streams.
 *
 * @param text hexadecimal digits, unique
 * @param mark unpredictable
 */
public record CommandId(String text, StreamSentinel mark) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Makes one. */
    public static CommandId random() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return new CommandId(HexFormat.of().formatHex(bytes), StreamSentinel.random());
    }
}
