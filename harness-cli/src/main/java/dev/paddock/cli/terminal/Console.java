package dev.paddock.cli.terminal;

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

    public Console(InvocationContext caller) {
        this.withDetails = caller.wantsDetails();
        this.progress = new ProgressLine(System.err, () -> Style.isTerminal(2, caller));
    }

    /** Returns the line that shows the progress of long preparations. */
    public ProgressLine progress() {
        return progress;
    }

    /** Returns a fault's message, or its type's name if it has none. */
    public static String text(Throwable fault) {
        String message = fault.getMessage();
        return message == null ? fault.getClass().getSimpleName() : message;
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
