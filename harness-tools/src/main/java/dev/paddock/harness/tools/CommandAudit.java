package dev.paddock.harness.tools;

import dev.paddock.executor.ExitStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Records one command of the model after it has finished, failed or been refused. Contains no argument, variable or
 * output, any of which may be secret. Each command yields exactly one record. Immutable; created by {@link #builder}.
 *
 * @since 0.1
 */
public final class CommandAudit {
    private final String callId;
    private final String executor;
    private final String program;
    private final boolean background;
    private final Optional<String> shellId;
    private final Instant startedAt;
    private final Outcome outcome;
    private final Optional<ExitStatus> status;
    private final Duration took;
    private final long outputBytes;

    /**
     * Says how a command ended. Later releases may add values: a {@code switch} needs a
     * {@code default}.
     */
    public enum Outcome {
        /** The command exited with code 0. */
        OK,
        /**
         * The command exited with another code or by a signal, or the executor could not start it.
         */
        FAILED,
        /** The command exceeded its timeout and was terminated. */
        TIMED_OUT,
        /** The call was aborted: the command was terminated, or never started. */
        ABORTED,
        /** The session refused the command and did not pass it to the executor. */
        DENIED,
        /** The command's result is unknown: its sandbox was lost, or its exit was not observed. */
        LOST
    }

    private CommandAudit(Builder builder) {
        callId = builder.callId;
        executor = builder.executor;
        program = builder.program;
        background = builder.background;
        shellId = builder.shellId;
        startedAt = builder.startedAt;
        outcome = builder.outcome;
        status = builder.status;
        took = builder.took;
        outputBytes = builder.outputBytes;
    }

    /**
     * Returns a builder for a foreground command that did not run.
     *
     * @param callId the id of the tool call that contained the command
     * @param executor the name of the executor
     * @param program the command's program, in the form of {@link #program()}
     * @param startedAt when the tool was called
     * @param outcome how the command ended
     * @return the builder
     */
    public static Builder builder(String callId, String executor, String program, Instant startedAt, Outcome outcome) {
        return new Builder(callId, executor, program, startedAt, outcome);
    }

    /** {@return the id of the tool call that contained the command} */
    public String callId() {
        return callId;
    }

    /** {@return the name of the executor, such as {@code "docker"} or {@code "bwrap"}} */
    public String executor() {
        return executor;
    }

    /**
     * Returns the command's first word, after assignments and without its directory.
     *
     * @return the word; {@code "sh"} if the command does not begin with a plain word of at most 32
     *     letters, digits and {@code _ . + -}
     */
    public String program() {
        return program;
    }

    /** {@return whether the command was requested to run in the background} */
    public boolean background() {
        return background;
    }

    /**
     * {@return the id of the background shell that ran the command; empty in the foreground, and if no shell was
     * created for the command}
     */
    public Optional<String> shellId() {
        return shellId;
    }

    /** {@return when the tool was called} */
    public Instant startedAt() {
        return startedAt;
    }

    /** {@return how the command ended} */
    public Outcome outcome() {
        return outcome;
    }

    /**
     * {@return the exit status; empty if the command did not run, the session terminated it, or its status is unknown}
     */
    public Optional<ExitStatus> status() {
        return status;
    }

    /** {@return how long the command ran, including the draining of its output; zero if it did not run or was lost} */
    public Duration took() {
        return took;
    }

    /** {@return how many bytes the command wrote, whether or not the result shows them} */
    public long outputBytes() {
        return outputBytes;
    }

    @Override
    public String toString() {
        return "CommandAudit[callId=" + callId + ", executor=" + executor + ", program=" + program + ", background="
                + background + ", shellId=" + shellId + ", startedAt=" + startedAt + ", outcome=" + outcome
                + ", status=" + status + ", took="
                + took + ", outputBytes=" + outputBytes + "]";
    }

    /** Builds an audit record. Not thread-safe. */
    public static final class Builder {
        private final String callId;
        private final String executor;
        private final String program;
        private final Instant startedAt;
        private final Outcome outcome;
        private boolean background;
        private Optional<String> shellId = Optional.empty();
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
         * Sets whether the command was requested to run in the background.
         *
         * @param value whether it was; false by default
         * @return this builder
         */
        public Builder background(boolean value) {
            background = value;
            return this;
        }

        /**
         * Sets the id of the background shell.
         *
         * @param value the id; empty by default
         * @return this builder
         */
        public Builder shellId(Optional<String> value) {
            shellId = value;
            return this;
        }

        /**
         * Sets the command's exit status.
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
         * @param value the duration; zero by default
         * @return this builder
         */
        public Builder took(Duration value) {
            took = value;
            return this;
        }

        /**
         * Sets how many bytes the command wrote.
         *
         * @param value the number of bytes; 0 by default
         * @return this builder
         */
        public Builder outputBytes(long value) {
            outputBytes = value;
            return this;
        }

        /** {@return the record} */
        public CommandAudit build() {
            return new CommandAudit(this);
        }
    }
}
