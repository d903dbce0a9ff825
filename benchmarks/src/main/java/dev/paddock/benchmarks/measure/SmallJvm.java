package dev.paddock.benchmarks.measure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM of its own with a bounded heap, that measures and prints its figures, one a line. */
public final class SmallJvm {
    private SmallJvm() {}

    /**
     * Runs a program of ours.
     *
     * @param heap as {@code -Xmx} takes it
     * @throws IOException if it fails, with what it said last
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
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(lastWord(said));
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
        return figures(said.lines());
    }

    /** What it ended with. The JVM's warnings stand before that, and where it was in the code is of no interest. */
    public static String lastWord(String said) {
        return said.lines()
                .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
                .reduce((earlier, later) -> later)
                .orElse("it said nothing");
    }

    private static List<Double> figures(Stream<String> lines) {
        return lines.filter(text -> text.startsWith("figure "))
                .map(text -> Double.parseDouble(text.substring("figure ".length())))
                .toList();
    }

    /** What such a program says. */
    public static void tell(double figure) {
        System.out.println("figure " + figure);
    }
}
