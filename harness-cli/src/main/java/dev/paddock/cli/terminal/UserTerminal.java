package dev.paddock.cli.terminal;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.process.launch.HelperCommand;
import java.util.List;
import java.util.Optional;

/**
 * The terminal that is this program's standard input, connected to a command's own terminal: each key goes to the
 * command unchanged, and the terminal's settings are restored at every end but SIGKILL's.
 */
public final class UserTerminal {
    private static final TerminalSize UNKNOWN_SIZE = new TerminalSize(80, 24);
    private static final long PID = ProcessHandle.current().pid();

    private final ProcessControl program;
    private final TerminalDevice device;
    private TerminalSize size;
    private Optional<ProcessLike> process = Optional.empty();
    private boolean connected;

    private UserTerminal(ProcessControl program, TerminalDevice device, TerminalSize size) {
        this.program = program;
        this.device = device;
        this.size = size;
    }

    /**
     * Reads the settings and the size, and changes nothing.
     *
     * @throws ExecutorException if they cannot be read
     */
    public static UserTerminal open(ProcessControl program) {
        TerminalDevice device = TerminalDevice.open();
        return new UserTerminal(program, device, device.size().orElse(UNKNOWN_SIZE));
    }

    /** Returns the last read size. */
    public synchronized TerminalSize size() {
        return size;
    }

    /** Passes keys on unchanged, and changes of the size to the command, until {@link #restore}. */
    public void connect(ProcessLike command) {
        synchronized (this) {
            process = Optional.of(command);
            connected = true;
            device.raw();
        }
        program.atEnd(this::restore);
        program.onSignal("WINCH", this::resized);
        program.onSignal("CONT", this::continued);
        program.onSignal("TSTP", this::suspend);
        resized(); // it may have changed before the signal was caught
    }

    /** Restores the settings. Idempotent. */
    public synchronized void restore() {
        if (connected) {
            connected = false;
            device.reset();
        }
    }

    private synchronized void resized() {
        if (!connected) {
            return;
        }
        TerminalSize now = device.size().orElse(size);
        // Not by equals: at its first call the JDK generates a record's, which takes 15 ms.
        if (now.columns() != size.columns() || now.rows() != size.rows()) {
            size = now;
            process.ifPresent(command -> command.resize(now.columns(), now.rows()));
        }
    }

    private synchronized void continued() {
        if (connected) {
            device.raw();
            resized();
        }
    }

    /** Stops this program as SIGTSTP from outside would; Ctrl-Z itself is a key for the command. */
    private synchronized void suspend() {
        if (connected) {
            device.reset();
        }
        var unused = HelperCommand.run(List.of("sh", "-c", "kill -STOP " + PID));
    }
}
