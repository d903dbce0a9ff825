package dev.paddock.harness;

import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.harness.loop.AbortPatience;
import dev.paddock.harness.model.Model;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Collects the options of a session and builds it. {@link #model} and {@code cwd} are required.
 * Not safe for use by several threads.
 *
 * <p>Defaults: the strongest sandbox that is usable on this machine, and never the host executor;
 * commands see the directory under its host path; the tools {@code bash}, {@code bash_output},
 * {@code write_stdin}, {@code kill_shell}, {@code read}, {@code edit}, {@code write}, {@code ls},
 * {@code grep}, {@code find}; no approver; 200 turns per run; a command timeout of 120 seconds, and
 * at most 600 seconds if the model names one; 2 seconds between SIGTERM and SIGKILL; 2 seconds of
 * waiting for listeners that are behind; 32 background shells at once; logs of up to 2 GiB; a new
 * directory for messages and logs below {@code $XDG_STATE_HOME/paddock/sessions}.
 *
 * @since 0.1
 */
public final class AgentSessionBuilder extends SiteOptions<AgentSessionBuilder> {
    private static final int DEFAULT_MAX_TURNS = 200;

    private Optional<Model> model = Optional.empty();
    private String systemPrompt = "";
    private int maxTurns = DEFAULT_MAX_TURNS;
    private boolean resume;
    private AbortPatience patience = AbortPatience.STANDARD;

    AgentSessionBuilder() {}

    @Override
    AgentSessionBuilder self() {
        return this;
    }

    /** Sets the model. */
    public AgentSessionBuilder model(Model value) {
        model = Optional.of(value);
        return this;
    }

    /**
     * Sets text that is appended to the session's own system prompt, which describes the working directory.
     *
     * @param value the text; empty by default
     */
    public AgentSessionBuilder systemPrompt(String value) {
        systemPrompt = value;
        return this;
    }

    /**
     * Sets the maximum number of turns in a run.
     *
     * @param value 1 or more; 200 by default
     * @throws IllegalArgumentException if it is less than 1
     */
    public AgentSessionBuilder maxTurns(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxTurns is not 1 or more: " + value);
        }
        maxTurns = value;
        return this;
    }

    /** Sets how long an aborted run waits for code that ignores the abort. */
    AgentSessionBuilder abortPatience(AbortPatience value) {
        patience = value;
        return this;
    }

    @Override
    public AgentSessionBuilder sessionDirectory(Path value) {
        resume = false;
        return super.sessionDirectory(value);
    }

    /**
     * Resumes a session from its stored messages instead of starting a new one. Drops a last message that a crash has
     * truncated; gives calls without a stored result an error result, which reports to the model that their effect is
     * unknown.
     *
     * @param value the earlier session's {@linkplain AgentSession#directory() directory}
     */
    public AgentSessionBuilder resume(Path value) {
        super.sessionDirectory(value);
        resume = true;
        return this;
    }

    /**
     * Builds the session. Runs no command: whether commands see the working directory is checked
     * before the first command.
     *
     * @return the session; the caller closes it. If this method throws, a given executor still
     *     belongs to the caller
     * @throws IllegalStateException if the model or the directory is missing, or another session
     *     uses the session directory
     * @throws IllegalArgumentException if an option's value is invalid: a directory that does not
     *     exist, two tools of one name, a variable that commands must not get, a session directory
     *     that has a session already, or none to resume
     * @throws SandboxUnavailableException if no executor is given and no sandbox is usable on this
     *     machine
     * @throws UnsupportedPolicyException if no executor is given and the best sandbox on this
     *     machine cannot enforce the policy
     * @throws java.io.UncheckedIOException if the session directory cannot be used
     */
    public AgentSession build() {
        return new SessionAssembly(options(chosen(), systemPrompt, maxTurns, resume), patience).assemble();
    }

    private Model chosen() {
        return model.orElseThrow(() -> new IllegalStateException("no model is given; call model(…)"));
    }
}
