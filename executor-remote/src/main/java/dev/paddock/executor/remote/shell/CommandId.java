package dev.paddock.executor.remote.shell;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Identifies a command within its executor: the value of its marker, and the sentinel at the end of
 * its streams.
 *
 * @param text hexadecimal digits, unique
 * @param mark the sentinel, unpredictable
 */
public record CommandId(String text, StreamSentinel mark) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Creates a random id. */
    public static CommandId random() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return new CommandId(HexFormat.of().formatHex(bytes), StreamSentinel.random());
    }
}
