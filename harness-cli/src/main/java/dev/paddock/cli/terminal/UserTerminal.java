package dev.paddock.cli.terminal;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.TerminalSize;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal that is this program's standard input, connected to a command's own terminal: each
 * key goes to the command as it is, and the terminal's settings are restored on every end but
 * SIGKILL's. Uses {@code stty}, which every system with terminals has, so that other starts load
 * nothing for it.
 */
public final class UserTerminal {
    private static final TerminalSize UNKNOWN_SIZE = new TerminalSize(80, 24);
    private static final long PATIENCE_SECONDS = 2;

    private final String settings;
    private TerminalSize size;
    private Optional<ProcessLike> process = Optional.empty();
    private boolean connected;

    private UserTerminal(String settings, TerminalSize size) {
        this.settings = settings;
        this.size = size;
    }

    /**
     * Reads the settings and the size, and changes nothing.
     *
     * @throws ExecutorException if they cannot be read
     */
    public static UserTerminal open() {
        // The size first: "rows columns", and then the settings.
        Optional<String> seen = run("sh", "-c", "stty size && stty -g");
        List<String> lines = seen.map(text -> text.lines().toList()).orElse(List.of());
        if (lines.size() != 2) {
            throw new ExecutorException("the settings of your terminal cannot be read by stty: install it (Debian:"
                    + " coreutils), or give --no-tty");
        }
        return new UserTerminal(lines.getLast(), size(lines.getFirst()));
    }

    /** Returns the size that was read last. */
    public synchronized TerminalSize size() {
        return size;
    }

    /**
     * Passes keys on as they are from now on, and changes of the size to the command, until
     * {@link #restore}.
     */
    public void connect(ProcessLike command) {
        synchronized (this) {
            process = Optional.of(command);
            connected = true;
            raw();
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::restore, "paddock-terminal"));
        Interrupts.catching("WINCH", this::resized);
        Interrupts.catching("CONT", this::continued);
        Interrupts.catching("TSTP", this::suspend);
        resized(); // it may have changed before the signal was caught
    }

    /** Restores the settings; does nothing the second time. */
    public synchronized void restore() {
        if (connected) {
            connected = false;
            reset();
        }
    }

    private static void raw() {
        var unused = run("stty", "raw", "-echo", "-iexten");
    }

    private void reset() {
        var unused = run("stty", settings);
    }

    private synchronized void resized() {
        if (!connected) {
            return;
        }
        TerminalSize now = run("stty", "size").map(UserTerminal::size).orElse(size);
        if (!now.equals(size)) {
            size = now;
            process.ifPresent(command -> command.resize(now.columns(), now.rows()));
        }
    }

    private synchronized void continued() {
        if (connected) {
            raw();
            resized();
        }
    }

    /** Stops this program as SIGTSTP from outside would; Ctrl-Z itself is a key for the command. */
    private synchronized void suspend() {
        if (connected) {
            reset();
        }
        var unused = run("kill", "-STOP", Long.toString(ProcessHandle.current().pid()));
    }

    private static TerminalSize size(String line) {
        String[] words = line.strip().split(" ", -1);
        try {
            return new TerminalSize(Integer.parseInt(words[1]), Integer.parseInt(words[0]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unknown) {
            return UNKNOWN_SIZE; // 0 0, as some programs leave it
        }
    }

    /** Runs a program at the terminal; empty if it fails, as it does once the terminal is closed. */
    private static Optional<String> run(String... command) {
        try {
            Process program = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String out = new String(program.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            boolean ended = program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return ended && program.exitValue() == 0 ? Optional.of(out) : Optional.empty();
        } catch (IOException failed) {
            return Optional.empty();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
