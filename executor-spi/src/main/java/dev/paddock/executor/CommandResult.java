package dev.paddock.executor;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The result of {@link CommandExecutor#run}: how the command ended, and its output. Immutable. */
public final class CommandResult {
    private final CommandOutcome outcome;
    private final Optional<ExitStatus> status;
    private final Optional<CleanupReport> cleanup;
    private final HeadAndTail.Kept out;
    private final HeadAndTail.Kept err;
    private final Charset charset;
    private final Duration took;
    private final List<Throwable> callbackErrors;

    CommandResult(
            CommandOutcome outcome,
            Optional<ExitStatus> status,
            Optional<CleanupReport> cleanup,
            HeadAndTail.Kept out,
            HeadAndTail.Kept err,
            Charset charset,
            Duration took,
            List<Throwable> callbackErrors) {
        this.outcome = outcome;
        this.status = status;
        this.cleanup = cleanup;
        this.out = out;
        this.err = err;
        this.charset = charset;
        this.took = took;
        this.callbackErrors = List.copyOf(callbackErrors);
    }

    /**
     * Returns how the run ended.
     *
     * @return the outcome
     */
    public CommandOutcome outcome() {
        return outcome;
    }

    /**
     * Returns the main process's status, also of a command that was ended.
     *
     * @return the status; empty if the process had not exited in time, or was lost
     */
    public Optional<ExitStatus> status() {
        return status;
    }

    /**
     * Returns the captured part of standard output: its head, then its tail.
     *
     * @return a copy; shorter than {@link #outBytes()} if something was left out
     */
    public byte[] out() {
        return out.bytes();
    }

    /**
     * Returns the captured part of standard error: its head, then its tail.
     *
     * @return a copy; shorter than {@link #errBytes()} if something was left out
     */
    public byte[] err() {
        return err.bytes();
    }

    /**
     * Returns how many bytes of standard output were read, captured or not.
     *
     * @return the number
     */
    public long outBytes() {
        return out.total();
    }

    /**
     * Returns how many bytes of standard error were read, captured or not.
     *
     * @return the number
     */
    public long errBytes() {
        return err.total();
    }

    /**
     * Returns the captured standard output as text in the run's charset.
     *
     * @return the text, with a line that says how many bytes were left out, if any
     */
    public String outText() {
        return out.text(charset);
    }

    /**
     * Returns the captured standard error as text in the run's charset.
     *
     * @return the text, with a line that says how many bytes were left out, if any
     */
    public String errText() {
        return err.text(charset);
    }

    /**
     * Returns the time from the start of the command to this result.
     *
     * @return the time
     */
    public Duration took() {
        return took;
    }

    /**
     * Returns the executor's report on its cleanup.
     *
     * @return the report; empty if the cleanup was not over in time, or was lost
     */
    public Optional<CleanupReport> cleanup() {
        return cleanup;
    }

    /**
     * Returns the errors of the run's callbacks, its input and its file: the first of each.
     *
     * @return the errors; unmodifiable
     */
    public List<Throwable> callbackErrors() {
        return callbackErrors;
    }

    /**
     * Returns whether the command exited with 0 and no callback failed.
     *
     * @return true if so
     */
    public boolean succeeded() {
        return outcome instanceof CommandOutcome.Exited(ExitStatus ended)
                && ended.success()
                && callbackErrors.isEmpty();
    }

    /**
     * Returns this result if it {@linkplain #succeeded() succeeded}.
     *
     * @return this
     * @throws CommandFailedException if it did not
     */
    public CommandResult orThrow() {
        if (!succeeded()) {
            throw new CommandFailedException(this);
        }
        return this;
    }

    /** Shows the outcome and sizes, but no output, which may be secret; for logs. */
    @Override
    public String toString() {
        return "CommandResult[" + outcome + ", outBytes=" + outBytes() + ", errBytes=" + errBytes() + ", took=" + took
                + "]";
    }
}
