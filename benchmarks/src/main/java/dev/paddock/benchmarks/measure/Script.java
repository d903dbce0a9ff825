package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.TimedRow;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * Runs shell scripts with an environment of their own, so that no configuration of the user's counts.
 *
 * @param directory where they run
 * @param variables what they get besides the environment of this program
 */
public record Script(Path directory, Map<String, String> variables) {

    /**
     * Runs a script; returns its output without the last line break.
     *
     * @throws IOException if it does not succeed, with its last line
     */
    public String run(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-euc", script)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException(SmallJvm.lastWord(output));
            }
            return output.strip();
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped");
        }
    }

    /** Returns a script as an action. */
    public TimedRow.Action action(String script) {
        return () -> run(script);
    }
}
