package dev.paddock.executor;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The result of {@link CommandExecutor#run}: how the command ended, and its output. Immutable; made
 * by {@link #builder} where an executor implements {@code run} itself.
 *
 * @since 0.1
 */
public final class CommandResult {
    private final CommandOutcome outcome;
    private final Optional<ExitStatus> status;
    private final CompletionStage<CleanupReport> closed;
    private final Optional<CleanupReport> cleanup;
    private final HeadAndTail.Kept out;
    private final HeadAndTail.Kept err;
    private final Charset charset;
    private final Duration took;
    private final List<Throwable> callbackErrors;

    private CommandResult(Builder builder) {
        this.outcome = builder.outcome;
        this.status = builder.status;
        this.closed = builder.closed;
        this.cleanup = done(builder.closed.toCompletableFuture());
        this.out = builder.out.kept();
        this.err = builder.err.kept();
        this.charset = builder.charset;
        this.took = builder.took;
        this.callbackErrors = List.copyOf(builder.callbackErrors);
    }

    private static Optional<CleanupReport> done(CompletableFuture<CleanupReport> closed) {
        return closed.isDone() && !closed.isCompletedExceptionally() ? Optional.of(closed.join()) : Optional.empty();
    }

    /**
     * Returns a builder of a result without output, for an executor that implements {@code run}
     * itself.
     *
     * @param options the run's options: the result keeps as much output as their capture says
     * @param outcome how the run ended
     * @return the builder
     */
    public static Builder builder(RunOptions options, CommandOutcome outcome) {
        return new Builder(
                outcome, options.charset(), new HeadAndTail(options.capture()), new HeadAndTail(options.capture()));
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
     * Returns the end of the executor's cleanup, which may come after this result: see
     * {@link RunOptions#closeTimeout}.
     *
     * @return completes with the report; exceptionally if the command was lost
     */
    public CompletionStage<CleanupReport> closed() {
        return closed;
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
                && ended.isSuccess()
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

    /** Collects a result. Not safe for use by several threads. */
    public static final class Builder {
        private final CommandOutcome outcome;
        private final Charset charset;
        private final HeadAndTail out;
        private final HeadAndTail err;
        private Optional<ExitStatus> status;
        private CompletionStage<CleanupReport> closed = CompletableFuture.completedStage(CleanupReport.NONE);
        private Duration took = Duration.ZERO;
        private List<? extends Throwable> callbackErrors = List.of();

        Builder(CommandOutcome outcome, Charset charset, HeadAndTail out, HeadAndTail err) {
            this.outcome = outcome;
            this.charset = charset;
            this.out = out;
            this.err = err;
            this.status =
                    outcome instanceof CommandOutcome.Exited(ExitStatus ended) ? Optional.of(ended) : Optional.empty();
        }

        /**
         * Sets the status of a command that was ended.
         *
         * @param value the status; by default that of an {@link CommandOutcome.Exited}
         * @return this builder
         */
        public Builder status(ExitStatus value) {
            status = Optional.of(value);
            return this;
        }

        /**
         * Appends standard output, and counts it; the capture says which part is kept.
         *
         * @param bytes the bytes; copied
         * @return this builder
         */
        public Builder out(byte[] bytes) {
            out.append(bytes, bytes.length);
            return this;
        }

        /**
         * Appends standard error, and counts it; the capture says which part is kept.
         *
         * @param bytes the bytes; copied
         * @return this builder
         */
        public Builder err(byte[] bytes) {
            err.append(bytes, bytes.length);
            return this;
        }

        /**
         * Sets the end of the cleanup.
         *
         * @param value completes with the report; by default {@link CleanupReport#NONE}
         * @return this builder
         */
        public Builder closed(CompletionStage<CleanupReport> value) {
            closed = value;
            return this;
        }

        /**
         * Sets the time from the start of the command to the result.
         *
         * @param value the time; zero by default
         * @return this builder
         */
        public Builder took(Duration value) {
            took = value;
            return this;
        }

        /**
         * Sets the errors of callbacks, of the input and of the file.
         *
         * @param value the first error of each; none by default
         * @return this builder
         */
        public Builder callbackErrors(List<? extends Throwable> value) {
            callbackErrors = value;
            return this;
        }

        /**
         * Builds the result.
         *
         * @return the result
         */
        public CommandResult build() {
            return new CommandResult(this);
        }
    }
}
