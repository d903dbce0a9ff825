package dev.paddock.harness.tools;

import dev.paddock.executor.ExitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The account of one command of the model, given when it is over, however it ended. It holds nothing that may be secret: no
 * argument, no variable, no output. Each command yields one. Immutable; made by {@link #builder}.
 */
public final class CommandAudit {
    private final String callId;
    private final String executor;
    private final String program;
    private final boolean background;
    private final Instant startedAt;
    private final Outcome outcome;
    private final Optional<ExitStatus> status;
    private final Duration took;
    private final long outputBytes;

    /** How a command ended. Later releases may add values: a {@code switch} needs a {@code default}. */
    public enum Outcome {
        /** It exited with 0. */
        OK,
        /** It exited with another code or by a signal, or the executor could not start it. */
        FAILED,
        /** Its time was up, and it was ended. */
        TIMED_OUT,
        /** It was not wanted any more: ended, or not started. */
        ABORTED,
        /** The session refused it. The executor has not heard of it. */
        DENIED,
        /** What became of it is not known: the place where it ran was lost, or its end was not seen. */
        LOST
    }

    private CommandAudit(Builder builder) {
        callId = builder.callId;
        executor = builder.executor;
        program = builder.program;
        background = builder.background;
        startedAt = builder.startedAt;
        outcome = builder.outcome;
        status = builder.status;
        took = builder.took;
        outputBytes = builder.outputBytes;
    }

    /**
     * Returns a builder for a command in the foreground that did not run.
     *
     * @param callId the id of the tool call that the command came with
     * @param executor the name of the executor
     * @param program the command's program, as {@link #program()} has it
     * @param startedAt when the command was called
     * @param outcome how it ended
     * @return the builder
     */
    public static Builder builder(String callId, String executor, String program, Instant startedAt, Outcome outcome) {
        return new Builder(callId, executor, program, startedAt, outcome);
    }

    /**
     * Returns the id of the tool call that the command came with.
     *
     * @return the id
     */
    public String callId() {
        return callId;
    }

    /**
     * Returns the name of the executor.
     *
     * @return the name: {@code "docker"}, {@code "bwrap"}
     */
    public String executor() {
        return executor;
    }

    /**
     * Returns the command's first word, after assignments and without its directory.
     *
     * @return the word; {@code "sh"} if the command does not begin with a plain word of at most 32 letters, digits and
     *     {@code _ . + -}
     */
    public String program() {
        return program;
    }

    /**
     * Returns whether the command was to run in the background.
     *
     * @return whether it was
     */
    public boolean background() {
        return background;
    }

    /**
     * Returns when the command was called.
     *
     * @return the time
     */
    public Instant startedAt() {
        return startedAt;
    }

    /**
     * Returns how the command ended.
     *
     * @return the outcome
     */
    public Outcome outcome() {
        return outcome;
    }

    /**
     * Returns how the command exited.
     *
     * @return the status; empty if the command did not run, the session ended it, or its status is not known
     */
    public Optional<ExitStatus> status() {
        return status;
    }

    /**
     * Returns how long the command ran, with the draining of its output.
     *
     * @return the time; zero if it did not run or was lost
     */
    public Duration took() {
        return took;
    }

    /**
     * Returns how much the command wrote, whether the result shows it or not.
     *
     * @return the number of bytes
     */
    public long outputBytes() {
        return outputBytes;
    }

    @Override
    public String toString() {
        return "CommandAudit[callId=" + callId + ", executor=" + executor + ", program=" + program + ", background="
                + background + ", startedAt=" + startedAt + ", outcome=" + outcome + ", status=" + status + ", took="
                + took + ", outputBytes=" + outputBytes + "]";
    }

    /** Collects an account. Not safe for use by several threads. */
    public static final class Builder {
        private final String callId;
        private final String executor;
        private final String program;
        private final Instant startedAt;
        private final Outcome outcome;
        private boolean background;
        private Optional<ExitStatus> status = Optional.empty();
        private Duration took = Duration.ZERO;
        private long outputBytes;

        private Builder(String callId, String executor, String program, Instant startedAt, Outcome outcome) {
            this.callId = callId;
            this.executor = executor;
            this.program = program;
            this.startedAt = startedAt;
            this.outcome = outcome;
        }

        /**
         * Sets whether the command was to run in the background.
         *
         * @param value whether it was; false by default
         * @return this builder
         */
        public Builder background(boolean value) {
            background = value;
            return this;
        }

        /**
         * Sets how the command exited.
         *
         * @param value the status; empty by default
         * @return this builder
         */
        public Builder status(Optional<ExitStatus> value) {
            status = value;
            return this;
        }

        /**
         * Sets how long the command ran.
         *
         * @param value the time; zero by default
         * @return this builder
         */
        public Builder took(Duration value) {
            took = value;
            return this;
        }

        /**
         * Sets how much the command wrote.
         *
         * @param value the number of bytes; 0 by default
         * @return this builder
         */
        public Builder outputBytes(long value) {
            outputBytes = value;
            return this;
        }

        /**
         * Makes the account.
         *
         * @return the account
         */
        public CommandAudit build() {
            return new CommandAudit(this);
        }
    }
}
