package dev.paddock.cli.terminal;

import dev.paddock.executor.path.FileFaults;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes this program's own messages to standard error, since standard output belongs to the
 * command: one line for each message, and never a stack trace unless requested.
 */
public final class Console {

    /** The exit code when no executor was available, or this program failed. */
    public static final int FAILED = 125;

    /** The exit code when the command line is invalid. */
    public static final int MISUSED = 2;

    private final boolean withDetails;
    private final ProgressLine progress;
    private final StandardOutput output = new StandardOutput();

    public Console(InvocationContext caller) {
        this.withDetails = caller.wantsDetails();
        this.progress = new ProgressLine(System.err, () -> Style.isTerminal(2, caller));
    }

    /** Returns the line that shows the progress of long preparations. */
    public ProgressLine progress() {
        return progress;
    }

    /** Returns the standard output, for a command that writes bytes there. */
    public StandardOutput output() {
        return output;
    }

    /**
     * Returns the program's exit code, and reports standard output that could not be written: by the
     * code alone if its reader has closed the pipe.
     *
     * @param exitCode the command's own code, which stays unless it is 0
     */
    public int exitCode(int exitCode) {
        Optional<IOException> failure = output.failure();
        if (failure.isEmpty()) {
            return exitCode;
        }
        if (!StandardOutput.isClosedPipe(failure.get())) {
            complain("cannot write to standard output: " + text(failure.get()));
        }
        return exitCode == 0 ? StandardOutput.exitCode(failure.get()) : exitCode;
    }

    /** Returns a fault's message, or its type's name if it has none. */
    public static String text(Throwable fault) {
        return FileFaults.reason(fault);
    }

    /** Writes a message. */
    public void complain(String message) {
        progress.clear();
        System.err.println("paddock: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    }

    /** Writes a stack trace if PADDOCK_DEBUG is set. */
    public void detail(Throwable fault) {
        if (withDetails) {
            fault.printStackTrace(System.err);
        }
    }

    /** Reports a fault of this program itself. */
    public void collapse(Throwable fault) {
        String more = withDetails ? "" : " (PADDOCK_DEBUG=1 shows where)";
        complain("a fault in paddock itself: " + fault + more);
        detail(fault);
    }
}
