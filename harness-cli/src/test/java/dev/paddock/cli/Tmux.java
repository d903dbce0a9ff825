package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ShellQuoting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * Runs the program in a terminal of tmux, whose screen shows what a user would see. The tmux server
 * is this object's own.
 */
final class Tmux implements AutoCloseable {
    private static final String EXIT = "exit code ";

    private final Path directory;
    private final ProcessBuilder builder;

    private Tmux(Path directory, ProcessBuilder builder) {
        this.directory = directory;
        this.builder = builder.redirectErrorStream(true);
    }

    /**
     * Starts the program.
     *
     * @param directory an empty one, for this object's files
     */
    static Tmux start(Cli cli, Path directory, int columns, int rows, String... arguments) throws IOException {
        Path script = directory.resolve("script"); // the words are too long for a message to the server
        Files.writeString(
                script,
                "stty -g >" + quoted(directory.resolve("before")) + "; "
                        + cli.withSignals().shellWords(arguments)
                        + "; code=$?; stty -g >" + quoted(directory.resolve("after"))
                        + "; echo \"" + EXIT + "$code\"; exec cat\n");
        ProcessBuilder builder = cli.builder();
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().remove("TMUX");
        builder.environment().remove("NO_COLOR");
        Tmux tmux = new Tmux(directory, builder);
        tmux.run(
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                Integer.toString(columns),
                "-y",
                Integer.toString(rows),
                "exec sh " + quoted(script));
        return tmux;
    }

    private static String quoted(Path path) {
        return ShellQuoting.posix(List.of(path.toString()));
    }

    private String run(String... words) {
        List<String> line = new ArrayList<>(
                List.of("tmux", "-u", "-S", directory.resolve("tmux").toString()));
        line.addAll(List.of(words));
        try {
            Process process = builder.command(line).start();
            String output = Cli.text(process.getInputStream());
            assertThat(process.waitFor()).as(words[0] + " of tmux: " + output).isZero();
            return output;
        } catch (IOException | InterruptedException fault) {
            throw new AssertionError(fault);
        }
    }

    /** Returns the lines of the screen. */
    String screen() {
        return run("capture-pane", "-p");
    }

    /** Waits until the screen contains a text, and returns the screen. */
    String awaitText(String text) {
        return Awaitility.await("the screen shows '" + text + "'")
                .atMost(Cli.PATIENCE)
                .until(this::screen, screen -> screen.contains(text));
    }

    /** Waits until the agent has nothing to do, and returns the screen, which ends with its empty prompt. */
    String awaitIdle() {
        return Awaitility.await("the last line of the screen is the prompt alone")
                .atMost(Cli.PATIENCE)
                .until(
                        () -> screen().stripTrailing(),
                        screen -> screen.endsWith("\n>") && !screen.contains("(Esc stops)"));
    }

    /** Types text as it is. */
    void type(String text) {
        run("send-keys", "-l", text);
    }

    /** Presses keys by their names, such as {@code Enter}, {@code Escape} or {@code C-c}. */
    void press(String... keys) {
        List<String> words = new ArrayList<>(List.of("send-keys"));
        words.addAll(List.of(keys));
        run(words.toArray(String[]::new));
    }

    void resize(int columns, int rows) {
        run("resize-window", "-x", Integer.toString(columns), "-y", Integer.toString(rows));
    }

    /** Returns the program, which the terminal's shell has started. */
    ProcessHandle program() {
        long shell = Long.parseLong(run("display-message", "-p", "#{pane_pid}").strip());
        return ProcessHandle.of(shell).orElseThrow().children().findFirst().orElseThrow();
    }

    /** Waits for the program's end, which leaves the terminal as it was, and returns the screen. */
    String awaitExit(int code) throws IOException {
        String screen = awaitText(EXIT);
        assertThat(screen).contains(EXIT + code);
        assertThat(Files.readString(directory.resolve("after")))
                .as("the terminal's settings")
                .isEqualTo(Files.readString(directory.resolve("before")))
                .contains(":");
        return screen;
    }

    @Override
    public void close() {
        run("kill-server");
    }
}
