package dev.paddock.cli.command;

import dev.paddock.cli.terminal.Console;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Refuses arguments that the JVM could not decode: it replaces malformed bytes by a replacement character, so that
 * another command would run than the given one.
 */
public final class ArgumentBytes {
    private static final String REPLACED = "\uFFFD";
    private static final Path OWN_COMMAND_LINE = Path.of("/proc/self/cmdline");

    private ArgumentBytes() {}

    /**
     * Refuses arguments that the JVM could not decode.
     *
     * @throws UsageException if an argument is not text in UTF-8
     */
    public static void requireText(List<String> arguments) {
        if (arguments.stream().noneMatch(argument -> argument.contains(REPLACED)) || !Files.exists(OWN_COMMAND_LINE)) {
            return;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(OWN_COMMAND_LINE)));
        } catch (CharacterCodingException malformed) {
            throw new UsageException(
                    "an argument is not text in UTF-8; give such bytes in a file or on standard input");
        } catch (IOException unreadable) {
            throw new UsageException("an argument may not be text in UTF-8: " + Console.text(unreadable));
        }
    }
}
