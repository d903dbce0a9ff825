package dev.paddock.cli;

import static org.awaitility.Awaitility.await;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.subject.HostSignals;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the program at a pseudo-terminal of {@code script}; typed input passes through its driver,
 * Ctrl-C included.
 */
public final class Terminal implements AutoCloseable {
    public static final String CTRL_C = "\u0003";
    public static final String CTRL_D = "\u0004";

    private final Process script;
    private final Path about;
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final Thread reader = new Thread(this::read, "terminal");

    private Terminal(Process script, Path about) {
        this.script = script;
        this.about = about;
        reader.start();
    }

    /**
     * Starts the program.
     *
     * @param about a file that receives the program's process id and terminal
     * @param columns how wide the terminal is
     * @param redirection how a shell redirects the program's streams; empty for none
     */
    public static Terminal start(Cli cli, Path about, int columns, String redirection, String... arguments)
            throws IOException {
        return start(cli, about, columns, "exec " + cli.withSignals().shellWords(arguments) + " " + redirection);
    }

    /** Starts a shell that runs commands, the program among them, at the terminal. */
    static Terminal start(Cli cli, Path about, int columns, String commands) throws IOException {
        String line = "stty rows 24 cols " + columns + "; (echo $$; tty) >"
                + ShellQuoting.posix(List.of(about.toString())) + "; " + commands;
        // The builder has the directory and the environment; -E: typed input need not be shown.
        ProcessBuilder builder = cli.builder().command("script", "-qe", "-E", "never", "-c", line, "/dev/null");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().put("TERM", "xterm");
        builder.environment().remove("NO_COLOR");
        return new Terminal(builder.redirectErrorStream(true).start(), about);
    }

    private void read() {
        try (InputStream from = script.getInputStream()) {
            from.transferTo(shown);
        } catch (IOException ended) {
            // The test did not wait for its end.
            return;
        }
    }

    /** Returns everything that was written to the terminal so far. */
    public String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    /** Returns how often a prompt was asked for. */
    public int prompts() {
        return shown().split("> ", -1).length - 1;
    }

    public void awaitPrompt(int number) {
        await("the terminal shows the expected number of prompts")
                .atMost(Cli.PATIENCE)
                .until(() -> prompts() >= number);
    }

    public void type(String keys) throws IOException {
        script.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
        script.getOutputStream().flush();
    }

    public void send(String signal) throws IOException {
        long shell = Long.parseLong(Files.readAllLines(about).getFirst());
        if (!HostSignals.send(signal, shell)) {
            throw new AssertionError("SIG" + signal + " could not be sent");
        }
    }

    /** Changes the terminal's width. */
    public void resize(int columns) throws IOException, InterruptedException {
        run("stty", "-F", Files.readAllLines(about).getLast(), "cols", Integer.toString(columns));
    }

    private static void run(String... command) throws IOException, InterruptedException {
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new AssertionError(String.join(" ", command));
        }
    }

    /** Waits until the program has exited; afterwards {@link #shown} returns its whole output. */
    public int exitCode() throws InterruptedException {
        int code = Cli.awaitExit(script);
        reader.join();
        return code;
    }

    @Override
    public void close() {
        script.destroy();
    }
}
