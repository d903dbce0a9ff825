package dev.paddock.benchmarks.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs a program in a separate JVM with a bounded heap; the program measures and prints its
 * figures, one a line.
 */
public final class SmallJvm {
    private SmallJvm() {}

    /**
     * Runs one of the benchmarks' programs.
     *
     * @param heap the maximum heap, as {@code -Xmx} takes it
     * @throws IOException if it fails, with the last line that it printed
     */
    public static List<Double> run(String heap, Class<?> program, String... arguments) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED"));
        if (Runtime.version().feature() >= 24) {
            line.add("--sun-misc-unsafe-memory-access=allow");
        }
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        line.addAll(List.of(arguments));
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(lastWord(output));
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
        return figures(output.lines());
    }

    /**
     * Returns the last unindented line of the output: the JVM's warnings come before it, and the
     * lines of a stack trace are indented.
     */
    public static String lastWord(String output) {
        return output.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .reduce((earlier, later) -> later)
                .orElse("it wrote nothing");
    }

    private static List<Double> figures(Stream<String> lines) {
        return lines.filter(text -> text.startsWith("figure "))
                .map(text -> Double.parseDouble(text.substring("figure ".length())))
                .toList();
    }

    /** Prints a figure, in the format that {@link #run} reads. */
    public static void print(double figure) {
        System.out.println("figure " + figure);
    }
}
