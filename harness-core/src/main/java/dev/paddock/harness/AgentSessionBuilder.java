package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.loop.EventHub;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.command.AllowList;
import dev.paddock.harness.tools.command.CommandLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the options of a session and builds it. {@link #model} and {@link #cwd} are required.
 * Not safe for use by several threads.
 *
 * <p>Defaults: the strongest sandbox that is usable on this machine, and never the host executor;
 * commands see the directory under its host path; the tools {@code bash}, {@code bash_output},
 * {@code kill_shell}, {@code read}, {@code edit}, {@code write}, {@code ls}, {@code grep}, {@code
 * find}; 200 turns per run; a command timeout of 120 seconds, and at most 600 seconds if the model
 * names one; 2 seconds between SIGTERM and SIGKILL; 2 seconds of waiting for listeners that are
 * behind; 32 background shells at once; logs of up to 2 GiB; a new directory for messages and logs
 * below {@code $XDG_STATE_HOME/paddock/sessions}.
 */
public final class AgentSessionBuilder extends ToolOptions<AgentSessionBuilder> {
    private static final int DEFAULT_MAX_TURNS = 200;
    private static final Duration LONGEST = Duration.ofDays(7);

    private Optional<Model> model = Optional.empty();
    private Optional<Path> cwd = Optional.empty();
    private Optional<String> execCwd = Optional.empty();
    private Optional<CommandExecutor> executor = Optional.empty();
    private Optional<SandboxPolicy> policy = Optional.empty();
    private Map<String, String> executorSettings = Map.of();
    private Optional<AllowList> allowedCommands = Optional.empty();
    private EnvironmentPolicy environment = EnvironmentPolicy.empty();
    private String systemPrompt = "";
    private int maxTurns = DEFAULT_MAX_TURNS;
    private Duration commandTimeout = Duration.ofMinutes(2);
    private Duration maxCommandTimeout = Duration.ofMinutes(10);
    private Duration killGrace = SpawnOptions.DEFAULT_KILL_GRACE;
    private long maxLogBytes = 2L << 30;
    private int maxBackgroundShells = 32;
    private final List<SessionListener> listeners = new ArrayList<>();
    private Optional<Path> sessionDirectory = Optional.empty();
    private boolean resume;
    private Duration disposalPatience = Duration.ofSeconds(15);
    private Duration listenerPatience = EventHub.LAST;

    AgentSessionBuilder() {}

    @Override
    AgentSessionBuilder self() {
        return this;
    }

    /**
     * Sets the model.
     *
     * @param value the model
     * @return this builder
     */
    public AgentSessionBuilder model(Model value) {
        model = Optional.of(value);
        return this;
    }

    /**
     * Sets the session's working directory, as a host path.
     *
     * @param value an existing directory
     * @return this builder
     */
    public AgentSessionBuilder cwd(Path value) {
        cwd = Optional.of(value);
        return this;
    }

    /**
     * Sets the path under which commands see the working directory.
     *
     * @param value an absolute path on the executor's side; by default the same as {@link #cwd}
     * @return this builder
     */
    public AgentSessionBuilder execCwd(String value) {
        execCwd = Optional.of(value);
        return this;
    }

    /**
     * Sets the executor that runs commands. By default the session selects the strongest sandbox
     * that is usable on this machine, as {@link dev.paddock.executor.ExecutorProviders#auto} does.
     *
     * @param value the executor; {@link #build()} transfers its ownership to the session, which
     *     disposes of it at its end
     * @return this builder
     */
    public AgentSessionBuilder executor(CommandExecutor value) {
        executor = Optional.of(value);
        return this;
    }

    /**
     * Sets the policy of the sandbox that the session selects itself. Its mounts and protected paths
     * apply to the file tools as well, also with a given executor: the tools see each mount at its
     * target, and write only in a mounted directory that is writable.
     *
     * @param value a policy for the directories of {@link #cwd} and {@link #execCwd}; by default
     *     that of {@link SandboxPolicy#builder}
     * @return this builder
     */
    public AgentSessionBuilder policy(SandboxPolicy value) {
        policy = Optional.of(value);
        return this;
    }

    /**
     * Sets the backend-specific settings of the sandbox that the session selects itself.
     *
     * @param value settings by name, such as {@code image} for docker
     * @return this builder
     */
    public AgentSessionBuilder executorSettings(Map<String, String> value) {
        executorSettings = Map.copyOf(value);
        return this;
    }

    /**
     * Restricts commands to an allow list: a command must be one of these programs with plain
     * arguments, on one line, without operators, expansions and assignments. Any other command is
     * refused before it reaches the executor. By default all commands are allowed.
     *
     * <p>The list is not a security boundary, the sandbox is: many programs start other programs if
     * their arguments say so.
     *
     * @param value program names as commands begin with them; a name with a {@code /} allows
     *     exactly that path; an empty collection denies every command
     * @return this builder
     * @throws IllegalArgumentException if an element is not a program's name
     */
    public AgentSessionBuilder allowedCommands(Collection<String> value) {
        allowedCommands = Optional.of(new AllowList(value));
        return this;
    }

    /**
     * Sets variables that every command gets, with any executor. A name that looks like a
     * credential's has to be {@linkplain EnvironmentPolicy#forcing forced}. Variables that make
     * programs run other code are never passed on from the host, and cannot be set at all with
     * {@link #allowedCommands}. The host's {@code PATH}, {@code HOME} and {@code TMPDIR} are not
     * passed on either.
     *
     * @param value variables, and names of host variables, whose values {@link #build()} reads;
     *     empty by default
     * @return this builder
     */
    public AgentSessionBuilder environment(EnvironmentPolicy value) {
        environment = value;
        return this;
    }

    /**
     * Sets text that is appended to the session's own system prompt, which describes the working
     * directory.
     *
     * @param value the text; empty by default
     * @return this builder
     */
    public AgentSessionBuilder systemPrompt(String value) {
        systemPrompt = value;
        return this;
    }

    /**
     * Sets the maximum number of turns in a run.
     *
     * @param value 1 or more; 200 by default
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public AgentSessionBuilder maxTurns(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxTurns is not 1 or more: " + value);
        }
        maxTurns = value;
        return this;
    }

    /**
     * Sets the timeout of commands for which the model names none.
     *
     * @param value more than zero, at most 7 days; 120 seconds by default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public AgentSessionBuilder commandTimeout(Duration value) {
        commandTimeout = requireTimeout("commandTimeout", value);
        return this;
    }

    /**
     * Sets the longest timeout that the model may name.
     *
     * @param value more than zero, at most 7 days, not less than {@link #commandTimeout}; 600
     *     seconds by default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public AgentSessionBuilder maxCommandTimeout(Duration value) {
        maxCommandTimeout = requireTimeout("maxCommandTimeout", value);
        return this;
    }

    private static Duration requireTimeout(String name, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " is not more than 0 and at most 7 days: " + value);
        }
        return value;
    }

    /**
     * Sets the kill grace: the time between SIGTERM and SIGKILL when a command's process tree is
     * terminated.
     *
     * @param value zero (SIGKILL at once) to {@link SpawnOptions#MAX_KILL_GRACE}; 2 seconds by
     *     default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public AgentSessionBuilder killGrace(Duration value) {
        if (value.isNegative() || value.compareTo(SpawnOptions.MAX_KILL_GRACE) > 0) {
            throw new IllegalArgumentException(
                    "killGrace is not within 0 and " + SpawnOptions.MAX_KILL_GRACE.toSeconds() + " s: " + value);
        }
        killGrace = value;
        return this;
    }

    /**
     * Sets the size limit of a command's log. Of longer output, the log keeps the beginning for a
     * foreground command and the end for a background shell.
     *
     * @param value bytes, 0 or more; 2 GiB by default
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public AgentSessionBuilder maxLogBytes(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("maxLogBytes is negative: " + value);
        }
        maxLogBytes = value;
        return this;
    }

    /**
     * Sets how many background shells may run at once.
     *
     * @param value 0 disables background shells, and with them the tools {@code bash_output} and
     *     {@code kill_shell}; 32 by default. Each uses one thread of the session and, while it
     *     runs, less than 64 KiB of heap
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public AgentSessionBuilder maxBackgroundShells(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("maxBackgroundShells is negative: " + value);
        }
        maxBackgroundShells = value;
        return this;
    }

    /**
     * Adds a listener, which receives all events from the session's start on.
     *
     * @param value the listener
     * @return this builder
     */
    public AgentSessionBuilder listener(SessionListener value) {
        listeners.add(value);
        return this;
    }

    /**
     * Sets how long {@link AgentSession#prompt} and {@link AgentSession#close()} wait, before they
     * return, for listeners that are behind. Events that a listener has not received when the
     * session has closed are dropped. {@link AgentSession#abort()} and a shutdown of the JVM
     * shorten the wait.
     *
     * @param value zero to 7 days; 2 seconds by default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public AgentSessionBuilder listenerPatience(Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("listenerPatience is not within 0 and 7 days: " + value);
        }
        listenerPatience = value;
        return this;
    }

    /**
     * Sets the directory in which a new session keeps its messages and logs. Choose a directory
     * that commands cannot write to.
     *
     * @param value a directory that holds no session; created with access for its owner only, if it
     *     does not exist
     * @return this builder
     */
    public AgentSessionBuilder sessionDirectory(Path value) {
        sessionDirectory = Optional.of(value);
        resume = false;
        return this;
    }

    /**
     * Resumes a session from its stored messages instead of starting a new one. A last message that
     * a crash has truncated is dropped; calls without a stored result get an error result, which
     * reports to the model that their effect is unknown.
     *
     * @param value the earlier session's {@linkplain AgentSession#directory() directory}
     * @return this builder
     */
    public AgentSessionBuilder resume(Path value) {
        sessionDirectory = Optional.of(value);
        resume = true;
        return this;
    }

    /** Sets, for tests, how long the executor and each tool source may take to close. */
    AgentSessionBuilder disposalPatience(Duration value) {
        disposalPatience = value;
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
        if (commandTimeout.compareTo(maxCommandTimeout) > 0) {
            throw new IllegalArgumentException("commandTimeout, " + commandTimeout.toSeconds()
                    + " s, is more than maxCommandTimeout, " + maxCommandTimeout.toSeconds() + " s");
        }
        return new SessionAssembly(options()).assemble();
    }

    private SessionOptions options() {
        PathMapping worktree = SessionOptions.worktree(cwd, execCwd);
        SandboxPolicy granted =
                policy.orElseGet(() -> SandboxPolicy.builder(worktree).build());
        if (!granted.worktree().equals(worktree)) {
            throw new IllegalArgumentException(
                    "the policy's worktree is " + granted.worktree() + ", the session's is " + worktree);
        }
        EnvironmentCheck check = new EnvironmentCheck(allowedCommands.isPresent());
        check.check(granted.environment());
        return new SessionOptions(
                model.orElseThrow(() -> new IllegalStateException("no model is given; call model(…)")),
                worktree,
                executor,
                granted,
                executorSettings,
                toolChoice(),
                systemPrompt,
                maxTurns,
                allowedCommands,
                check.resolve(environment, UserState.environment()),
                new CommandLimits(commandTimeout, maxCommandTimeout, killGrace),
                maxLogBytes,
                maxBackgroundShells,
                List.copyOf(listeners),
                sessionDirectory,
                resume,
                disposalPatience,
                listenerPatience);
    }
}
