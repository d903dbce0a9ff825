package dev.paddock.cli.terminal;

import dev.paddock.executor.path.FileFaults;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The streams of one call. This program's own messages go to standard error, since standard output belongs to the
 * command: one line for each message, and never a stack trace unless requested.
 */
public final class Console {

    /** The exit code when no executor was available, or this program failed. */
    public static final int FAILED = 125;

    /** The exit code when the command line is invalid. */
    public static final int MISUSED = 2;

    private static final int BUFFER = 8192;

    private final InvocationContext caller;
    private final ProgressLine progress;
    private final StandardOutput output;
    private final PrintStream out;
    private final PrintStream drawing;
    private volatile PrintStream err;
    private boolean isFailureReported;

    public Console(InvocationContext caller) {
        this.caller = caller;
        this.output = new StandardOutput(caller.streams().out());
        this.out = print(output);
        this.err = print(caller.streams().err());
        this.drawing = draw(output);
        this.progress = new ProgressLine(draw(caller.streams().err()), () -> caller.isTerminal(2));
    }

    private PrintStream print(OutputStream to) {
        return new SafePrinter(
                new BufferedOutputStream(to, BUFFER), caller.streams().charset());
    }

    private PrintStream draw(OutputStream to) {
        return new PrintStream(
                new BufferedOutputStream(to, BUFFER), true, caller.streams().charset());
    }

    /** Returns the standard output, for output that moves the cursor. */
    public RedrawnLines canvas() {
        return new RedrawnLines(drawing, TerminalWidth::columns);
    }

    public ProcessControl process() {
        return caller.process();
    }

    /** Returns the line that shows the progress of long preparations. */
    public ProgressLine progress() {
        return progress;
    }

    /** Returns the standard output, for a command that writes bytes there. */
    public StandardOutput output() {
        return output;
    }

    /** Returns the standard output, for text; it is flushed at the end of each line. */
    public PrintStream out() {
        return out;
    }

    public PrintStream err() {
        return err;
    }

    /** Redirects messages and the prints of libraries; returns their previous destination. */
    public PrintStream redirectMessages(PrintStream to) {
        PrintStream before = err;
        err = to;
        process().redirectPrints(out, to);
        return before;
    }

    /**
     * Returns the program's exit code, and reports once that standard output could not be written: only by the code if
     * its reader has closed the pipe.
     *
     * @param exitCode the command's own code, which stays unless it is 0
     */
    public synchronized int exitCode(int exitCode) {
        Optional<IOException> failure = output.failure();
        if (failure.isEmpty()) {
            return exitCode;
        }
        if (!StandardOutput.isClosedPipe(failure.get()) && !isFailureReported) {
            isFailureReported = true;
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
        err.println("paddock: "
                + message.lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .collect(Collectors.joining(" ")));
    }

    /** Writes a message to a terminal in raw mode, which adds no carriage return to a line's end. */
    public void complainAtRawTerminal(String message) {
        PrintStream raw = draw(caller.streams().err());
        raw.print("\r\npaddock: " + Printable.text(message) + "\r\n");
        raw.flush();
    }

    /** Resets the modes of the terminal that is standard output, if it is one. */
    public void resetModes() {
        if (caller.leadsToTerminal(1)) {
            drawing.print(TerminalModes.RESET);
            drawing.flush();
        }
    }

    /** Writes a stack trace if PADDOCK_DEBUG is set. */
    public void detail(Throwable fault) {
        if (caller.wantsDetails()) {
            fault.printStackTrace(err);
        }
    }

    /** Reports a fault of this program itself. */
    public void collapse(Throwable fault) {
        String more = caller.wantsDetails() ? "" : " (PADDOCK_DEBUG=1 shows where)";
        complain("a fault in paddock itself: " + fault + more);
        detail(fault);
    }
}
