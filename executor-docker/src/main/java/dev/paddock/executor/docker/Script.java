package dev.paddock.executor.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/** The shell programs that run inside the container. */
final class Script {
    static final byte[] SLOT = load("slot.sh");
    static final byte[] CONTROL = load("control.sh");

    private Script() {}

    /** Without comments and indentation: a shell reads it from a pipe, one system call for each byte. */
    private static byte[] load(String name) {
        try (InputStream resource = Script.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("the program " + name + " is missing from the jar");
            }
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            String code = text.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
            return (code + "\n.\n").getBytes(StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new UncheckedIOException("the program " + name + " cannot be read from the jar", fault);
        }
    }
}
