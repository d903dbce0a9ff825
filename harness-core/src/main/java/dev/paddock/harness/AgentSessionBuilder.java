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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what a session is made of. {@link #model} and {@link #cwd} are required. Not safe for use by several threads.
 *
 * <p>Defaults: the strongest sandbox that is usable here, and never the host; commands see the directory under its own name; the
 * tools {@code bash}, {@code bash_output}, {@code kill_shell}, {@code read}, {@code edit}, {@code write}, {@code ls}, {@code grep}, {@code find}; 200 turns for a run; 120
 * seconds for a command that names no timeout, and 600 at most; 2 seconds between TERM and KILL; 2 seconds for listeners that are behind; 32 background shells at once; logs of up to 2 GiB; a new
 * directory for messages and logs below {@code $XDG_STATE_HOME/paddock/sessions}.
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
     * Sets the directory that the session works in, as the host has it.
     *
     * @param value an existing directory
     * @return this builder
     */
    public AgentSessionBuilder cwd(Path value) {
        cwd = Optional.of(value);
        return this;
    }

    /**
     * Sets where commands see that directory.
     *
     * @param value an absolute path on the commands' side; by default the same as {@link #cwd}
     * @return this builder
     */
    public AgentSessionBuilder execCwd(String value) {
        execCwd = Optional.of(value);
        return this;
    }

    /**
     * Sets where commands run. By default the session finds the strongest sandbox that is usable here, as {@link
     * dev.paddock.executor.ExecutorProviders#auto} does.
     *
     * @param value the executor; the session's own from {@link #build()} on, which disposes of it at its end
     * @return this builder
     */
    public AgentSessionBuilder executor(CommandExecutor value) {
        executor = Optional.of(value);
        return this;
    }

    /**
     * Sets what a sandbox grants that the session finds itself. Its protected paths hold for the file tools as well, whoever made
     * the executor.
     *
     * @param value a policy for the directories of {@link #cwd} and {@link #execCwd}; by default that of {@link
     *     SandboxPolicy#builder}
     * @return this builder
     */
    public AgentSessionBuilder policy(SandboxPolicy value) {
        policy = Optional.of(value);
        return this;
    }

    /**
     * Sets the backend's own settings for a sandbox that the session finds itself.
     *
     * @param value settings by name, such as {@code image} for docker
     * @return this builder
     */
    public AgentSessionBuilder executorSettings(Map<String, String> value) {
        executorSettings = Map.copyOf(value);
        return this;
    }

    /**
     * Holds commands to a list: each is one of these programs with plain arguments, without operators, expansions, assignments
     * and several lines. What does not pass is refused before the executor hears of it. By default any command is handed over.
     *
     * <p>The list is a guard rail, and the sandbox the fence: many programs start others if told to by their arguments.
     *
     * @param value programs as a command would begin with them; one with a {@code /} allows exactly that path; none
     *     denies every command
     * @return this builder
     * @throws IllegalArgumentException if one is no program's name
     */
    public AgentSessionBuilder allowedCommands(Collection<String> value) {
        allowedCommands = Optional.of(new AllowList(value));
        return this;
    }

    /**
     * Sets variables that every command gets, wherever it runs. A name that looks like a credential's has to be {@linkplain
     * EnvironmentPolicy#forcing forced}. What makes programs run something else is never passed on from the host, and with {@link
     * #allowedCommands} cannot be given at all; neither are the host's {@code PATH}, {@code HOME} and {@code TMPDIR} passed on.
     *
     * @param value variables, and names of the host's variables, which are read by {@link #build()}; empty by default
     * @return this builder
     */
    public AgentSessionBuilder environment(EnvironmentPolicy value) {
        environment = value;
        return this;
    }

    /**
     * Sets what the model is told beside where it works.
     *
     * @param value a text that is added to the session's own; empty by default
     * @return this builder
     */
    public AgentSessionBuilder systemPrompt(String value) {
        systemPrompt = value;
        return this;
    }

    /**
     * Sets how many turns a run may have.
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
     * Sets how long a command may take that names no timeout.
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
     * @param value more than zero, at most 7 days, not less than {@link #commandTimeout}; 600 seconds by default
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
     * Sets how long a command's tree has between TERM and KILL when it is to end.
     *
     * @param value zero (KILL at once) to {@link SpawnOptions#MAX_KILL_GRACE}; 2 seconds by default
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
     * Sets how much of a long output its log holds: of a command's the beginning, of a background shell's the end.
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
     * @param value 0 switches them off, and the tools {@code bash_output} and {@code kill_shell} with them; 32 by default. Each
     *     costs the session a thread and, while it runs, less than 64 KiB of heap
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
     * Adds a listener, which is told of everything from the session's start on.
     *
     * @param value the listener
     * @return this builder
     */
    public AgentSessionBuilder listener(SessionListener value) {
        listeners.add(value);
        return this;
    }

    /**
     * Sets how long {@link AgentSession#prompt} and {@link AgentSession#close()} wait at their end for listeners that are behind.
     * What a listener has not been given when the session has been closed is dropped. {@link AgentSession#abort()}, and the end
     * of the program, cut the waiting short.
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
     * Sets where the new session keeps its messages and logs. Choose a place that commands cannot write to.
     *
     * @param value a directory without a session in it; made, for its owner alone, if it is not there
     * @return this builder
     */
    public AgentSessionBuilder sessionDirectory(Path value) {
        sessionDirectory = Optional.of(value);
        resume = false;
        return this;
    }

    /**
     * Continues a session from its messages, instead of beginning a new one. A last message that a crash has cut off is dropped;
     * calls that had not ended then are told to the model as lost.
     *
     * @param value the earlier session's {@linkplain AgentSession#directory() directory}
     * @return this builder
     */
    public AgentSessionBuilder resume(Path value) {
        sessionDirectory = Optional.of(value);
        resume = true;
        return this;
    }

    /** For tests: how long the executor and each source of tools may take to close. */
    AgentSessionBuilder disposalPatience(Duration value) {
        disposalPatience = value;
        return this;
    }

    /**
     * Makes the session. No command is run for it: whether commands see the directory is tried before the first of them.
     *
     * @return the session; the caller closes it. If this method throws, a given executor is still the caller's
     * @throws IllegalStateException if the model or the directory is missing, or another session uses the session directory
     * @throws IllegalArgumentException if an option's value cannot be: a directory that does not exist, two tools of one name, a
     *     variable that commands must not get, a session directory that has a session already, or none to resume
     * @throws SandboxUnavailableException if no executor is given and no sandbox is usable here
     * @throws UnsupportedPolicyException if no executor is given and the best sandbox here cannot enforce the policy
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
        PathMapping worktree = worktree();
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

    private PathMapping worktree() {
        Path given = cwd.orElseThrow(() -> new IllegalStateException("no directory is given; call cwd(…)"));
        Path host = given.toAbsolutePath().normalize();
        if (!Files.isDirectory(host)) {
            throw new IllegalArgumentException(
                    "cwd " + (Files.exists(host) ? "is no directory: " : "does not exist: ") + host);
        }
        return execCwd.map(path -> new PathMapping(host, path)).orElseGet(() -> PathMapping.same(host));
    }
}
