package dev.paddock.executor.remote.shell;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Loads the shell programs for the remote system. */
public final class Script {
    /**
     * The argument list of the shell of a slot or of the control shell. Argument lists are visible in process lists and
     * in an engine's events, so the shell reads its script from its input.
     */
    public static final List<String> BOOTSTRAP =
            List.of("sh", "-c", "s=; while IFS= read -r l && [ \"$l\" != . ]; do s=$s$l'\n'; done; eval \"$s\"");

    static final byte[] SLOT = load("slot.sh");
    static final byte[] CONTROL = load("control.sh");

    private static final String END = ".\n";

    private Script() {}

    private static byte[] load(String name) {
        return (text(Script.class, name) + END).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Loads a program without comments and indentation: a shell reads a script from a pipe with one system call per
     * byte.
     *
     * @param owner the class next to the program in the jar
     * @param name its file's name
     * @return lines of shell code
     */
    public static String text(Class<?> owner, String name) {
        return text(owner.getResourceAsStream(name), name);
    }

    /**
     * Loads a program of another module, which only that module may open.
     *
     * @param opened the program; null if it is missing. Closed here
     * @param name its file's name
     */
    public static String text(@Nullable InputStream opened, String name) {
        if (opened == null) {
            throw new IllegalStateException("the program " + name + " is missing from the jar");
        }
        try (InputStream resource = opened) {
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            String code = text.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .collect(Collectors.joining("\n"));
            return code + "\n";
        } catch (IOException fault) {
            throw new UncheckedIOException("the program " + name + " cannot be read from the jar", fault);
        }
    }
}
