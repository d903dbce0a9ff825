package dev.paddock.cli.terminal;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.HelperCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The terminal that is this program's standard input, connected to a command's own terminal: each
 * key goes to the command as it is, and the terminal's settings are restored on every end but
 * SIGKILL's. Uses {@code stty}, which every system with terminals has, so that other starts load
 * nothing for it.
 */
public final class UserTerminal {
    private static final TerminalSize UNKNOWN_SIZE = new TerminalSize(80, 24);
    private static final long PID = ProcessHandle.current().pid();

    /** This program's standard input, which need not be its controlling terminal. */
    private static final String INPUT =
            Files.isDirectory(Path.of("/proc/self/fd")) ? "/proc/" + PID + "/fd/0" : "/dev/tty";

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
        Optional<String> settings = stty("-g");
        if (settings.isEmpty()) {
            throw new ExecutorException("the settings of your terminal cannot be read by stty: install it (Debian:"
                    + " coreutils), or give --no-tty");
        }
        return new UserTerminal(
                settings.get().strip(), stty("size").map(UserTerminal::size).orElse(UNKNOWN_SIZE));
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
        var unused = stty("raw", "-echo", "-iexten");
    }

    private void reset() {
        var unused = stty(settings);
    }

    private synchronized void resized() {
        if (!connected) {
            return;
        }
        TerminalSize now = stty("size").map(UserTerminal::size).orElse(size);
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
        var unused = HelperCommand.run(List.of("sh", "-c", "kill -STOP " + PID));
    }

    private static TerminalSize size(String line) {
        String[] words = line.strip().split(" ", -1);
        try {
            return new TerminalSize(Integer.parseInt(words[1]), Integer.parseInt(words[0]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException unknown) {
            return UNKNOWN_SIZE; // 0 0, as some programs leave it
        }
    }

    /** Runs stty on the terminal; empty if it fails, as it does once the terminal is closed. */
    private static Optional<String> stty(String... arguments) {
        List<String> line = new ArrayList<>(List.of("sh", "-c", "exec stty \"$@\" <" + INPUT, "sh"));
        line.addAll(List.of(arguments));
        HelperCommand.Result result = HelperCommand.run(line);
        return result.succeeded() ? Optional.of(result.output()) : Optional.empty();
    }
}
