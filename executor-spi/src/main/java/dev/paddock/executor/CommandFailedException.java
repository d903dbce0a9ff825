package dev.paddock.executor;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a run did not succeed, and carries its result. The message has the outcome and the
 * end of standard error; never the command, which may hold secrets.
 *
 * @since 0.1
 */
public final class CommandFailedException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int TAIL = 2_000;

    private final transient CommandResult result;

    CommandFailedException(CommandResult result) {
        super(message(result));
        this.result = result;
        Throwable cause = cause(result);
        if (cause != null) {
            initCause(cause);
        }
        result.callbackErrors().stream().skip(getCause() == null ? 0 : 1).forEach(this::addSuppressed);
    }

    /**
     * Returns the result of the run, with the output so far.
     *
     * @return the result
     */
    public CommandResult result() {
        return result;
    }

    private static @Nullable Throwable cause(CommandResult result) {
        return result.outcome() instanceof CommandOutcome.Lost lost
                ? lost.cause()
                : result.callbackErrors().stream().findFirst().orElse(null);
    }

    private static String message(CommandResult result) {
        String ending = switch (result.outcome()) {
            case CommandOutcome.Exited exited
            when exited.status().isSuccess() ->
                "a callback of the command failed: " + result.callbackErrors().getFirst();
            case CommandOutcome.Exited exited ->
                "the command ended with " + exited.status().code();
            case CommandOutcome.TimedOut late -> "the command did not end within " + late.timeout();
            case CommandOutcome.Aborted aborted -> "the command was aborted: " + aborted.reason();
            case CommandOutcome.Lost lost ->
                "the command was lost: " + lost.cause().getMessage();
        };
        String errors = result.errText().strip();
        String tail = errors.substring(Math.max(0, errors.length() - TAIL));
        return tail.isEmpty() ? ending : ending + "; the end of its standard error: " + tail;
    }
}
