package dev.paddock.cli.terminal;

/**
 * What the program itself has to say: on standard error, since standard output is the command's. One line for each
 * message, and never a stack trace unless asked for.
 */
public final class Console {

    /** The exit code when there was no place to run in, or this program failed. */
    public static final int FAILED = 125;

    /** The exit code when the command line is wrong. */
    public static final int MISUSED = 2;

    private final boolean withDetails;
    private final ProgressLine progress;

    public Console(InvocationContext caller) {
        this.withDetails = caller.wantsDetails();
        this.progress = new ProgressLine(System.err, () -> Style.isTerminal(2, caller));
    }

    /** Shows how far something has come that others wait for. */
    public ProgressLine progress() {
        return progress;
    }

    /** What a fault says of itself: a fault without a message is told by its kind. */
    public static String text(Throwable fault) {
        String message = fault.getMessage();
        return message == null ? fault.getClass().getSimpleName() : message;
    }

    /** Says something. */
    public void complain(String message) {
        progress.clear();
        System.err.println("paddock: " + message.strip().replaceAll("\\s*\\R\\s*", " "));
    }

    /** Shows where something came from, to those who asked for it. */
    public void detail(Throwable fault) {
        if (withDetails) {
            fault.printStackTrace(System.err);
        }
    }

    /** Reports a fault of this program: last resort. */
    public void collapse(Throwable fault) {
        String more = withDetails ? "" : " (PADDOCK_DEBUG=1 shows where)";
        complain("a fault in paddock itself: " + fault + more);
        detail(fault);
    }
}
