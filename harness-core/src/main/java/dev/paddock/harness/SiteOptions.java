package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.loop.AbortPatience;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.tools.WorkspaceSource;
import dev.paddock.harness.tools.command.CommandLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the options of {@link AgentSessionBuilder} and {@link ToolboxBuilder} that say where the
 * tools work, the approver, and the listeners.
 */
abstract sealed class SiteOptions<B extends SiteOptions<B>> extends CommandOptions<B>
        permits AgentSessionBuilder, ToolboxBuilder {
    private Optional<WorkspaceSource> workspace = Optional.empty();
    private Optional<Path> cwd = Optional.empty();
    private Optional<String> execCwd = Optional.empty();
    private Optional<CommandExecutor> executor = Optional.empty();
    private Optional<SandboxPolicy> policy = Optional.empty();
    private Map<String, String> executorSettings = Map.of();
    private Optional<Approver> approver = Optional.empty();
    private final List<SessionListener> listeners = new ArrayList<>();
    private Optional<Path> sessionDirectory = Optional.empty();
    private Duration disposalPatience = Duration.ofSeconds(15);
    private Duration listenerPatience = AbortPatience.STANDARD.listeners();
    private ContextCarrier contextCarrier = task -> task;

    SiteOptions() {}

    /**
     * Has the tools work in a workspace instead of a directory with an executor. The first tool call opens it; its
     * reference is stored with the messages, so that a {@linkplain AgentSessionBuilder#resume resumed} session finds
     * it. Tool sources and skills need the directory: with them, building the session opens the workspace. The end of
     * the session suspends the workspace and keeps its files.
     *
     * <p>If the workspace cannot be opened, the run ends as {@link dev.paddock.harness.events.RunOutcome.End#FAILED}
     * with the source's exception as its failure; the next tool call tries again.
     *
     * @param value opens and reopens the workspace; excludes {@code cwd}, {@code execCwd}, {@code executor},
     *     {@code policy} and {@code executorSettings}, which the workspace determines
     */
    public B workspace(WorkspaceSource value) {
        workspace = Optional.of(value);
        return self();
    }

    /**
     * Sets how the context of the thread that calls the session reaches its tools, model, approver and listeners.
     *
     * @param value the carrier; by default they run without the caller's context
     */
    public B contextCarrier(ContextCarrier value) {
        contextCarrier = value;
        return self();
    }

    /**
     * Sets the session's working directory, as a host path.
     *
     * @param value an existing directory
     */
    public B cwd(Path value) {
        cwd = Optional.of(value);
        return self();
    }

    /**
     * Sets the path under which commands see the working directory.
     *
     * @param value an absolute path on the executor's side; by default {@code cwd} under the executor's own
     *     {@linkplain CommandExecutor#worktree() mapping}, or else the same path
     */
    public B execCwd(String value) {
        execCwd = Optional.of(value);
        return self();
    }

    /**
     * Sets the executor that runs commands. By default the session selects the strongest sandbox that is usable on this
     * machine, as {@link dev.paddock.executor.ExecutorProviders#auto} does.
     *
     * @param value the executor; building transfers its ownership to the session or the toolbox, which disposes of it
     *     at its end
     */
    public B executor(CommandExecutor value) {
        return executor(value, Ownership.OWNED);
    }

    /**
     * Sets the executor that runs commands, and who disposes of it. An executor that several sessions share is
     * {@link Ownership#BORROWED}: a session that closes ends only its own commands. If the owner disposes of the
     * executor, a run of the session ends as {@link dev.paddock.harness.events.RunOutcome.End#FAILED}.
     */
    public B executor(CommandExecutor value, Ownership ownership) {
        executor = Optional.of(
                switch (ownership) {
                    case OWNED -> value;
                    case BORROWED -> new BorrowedExecutor(value);
                });
        return self();
    }

    /**
     * Sets the policy of the sandbox that the session selects itself. Its mounts and protected paths apply to the file
     * tools as well, also with a given executor: the tools see each mount at its target, and write only in a mounted
     * directory that is writable.
     *
     * @param value a policy for the directories of {@code cwd} and {@code execCwd}; by default that of
     *     {@link SandboxPolicy#builder}
     */
    public B policy(SandboxPolicy value) {
        policy = Optional.of(value);
        return self();
    }

    /**
     * Sets the backend-specific settings of the sandbox that the session selects itself.
     *
     * @param value settings by name, such as {@code image} for docker
     */
    public B executorSettings(Map<String, String> value) {
        executorSettings = Map.copyOf(value);
        return self();
    }

    /**
     * Sets the approver, which allows each tool call once or for the session, or denies it, before it is carried out.
     * The model and the listeners receive a denied call's error result. By default every call is carried out.
     *
     * <p>A call waits for the answer, which its duration in the events includes. It is denied if the approver fails;
     * see {@link Approver}.
     */
    public B approver(Approver value) {
        approver = Optional.of(value);
        return self();
    }

    /** Adds a listener, which receives all events from the session's start on. */
    public B listener(SessionListener value) {
        listeners.add(value);
        return self();
    }

    /**
     * Sets how long {@link AgentSession#prompt} and {@link AgentSession#close()} wait, before they return, for
     * listeners that are behind. Events that a listener has not received when the session has closed are dropped.
     * {@link AgentSession#abort()} and a shutdown of the JVM shorten the wait.
     *
     * @param value zero to 7 days; 2 seconds by default
     * @throws IllegalArgumentException if it is out of range
     */
    public B listenerPatience(Duration value) {
        if (value.isNegative() || value.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException("listenerPatience is not within 0 and 7 days: " + value);
        }
        listenerPatience = value;
        return self();
    }

    /**
     * Sets the directory in which a new session keeps its messages and logs. Choose a directory that commands cannot
     * write to.
     *
     * @param value a directory that holds no session; created with access for its owner only, if it does not exist
     */
    public B sessionDirectory(Path value) {
        sessionDirectory = Optional.of(value);
        return self();
    }

    /** Sets, for tests, how long the executor and each tool source may take to close. */
    final B disposalPatience(Duration value) {
        disposalPatience = value;
        return self();
    }

    final SessionOptions options(Model model, String systemPrompt, int maxTurns, boolean resume) {
        CommandLimits limits = commandLimits();
        Optional<SandboxPolicy> granted = granted();
        EnvironmentCheck check = new EnvironmentCheck(allowedCommands.isPresent()
                || workspace.flatMap(WorkspaceSource::allowedCommands).isPresent());
        granted.ifPresent(some -> check.check(some.environment()));
        return new SessionOptions(
                model,
                workspace,
                executor,
                granted,
                executorSettings,
                toolChoice(),
                documents,
                editorBuffers.filter(unused -> workspace.isEmpty()),
                systemPrompt,
                maxTurns,
                allowedCommands,
                approver,
                check.resolve(environment, UserState.environment()),
                limits,
                shell,
                keepDirectory,
                maxLogBytes,
                maxBackgroundShells,
                List.copyOf(ports),
                List.copyOf(listeners),
                sessionDirectory,
                resume,
                disposalPatience,
                listenerPatience,
                contextCarrier);
    }

    private Optional<SandboxPolicy> granted() {
        if (workspace.isPresent()) {
            if (cwd.isPresent()
                    || execCwd.isPresent()
                    || executor.isPresent()
                    || policy.isPresent()
                    || !executorSettings.isEmpty()) {
                throw new IllegalArgumentException("a workspace has a directory, an executor and a policy of its own:"
                        + " give workspace(…), or cwd(…) with execCwd, executor, policy and executorSettings");
            }
            return Optional.empty();
        }
        PathMapping worktree = SessionOptions.worktree(cwd, execCwd, executor);
        SandboxPolicy granted =
                policy.orElseGet(() -> SandboxPolicy.builder(worktree).build());
        if (!granted.worktree().equals(worktree)) {
            throw new IllegalArgumentException(
                    "the policy's worktree is " + granted.worktree() + ", that of cwd and execCwd is " + worktree);
        }
        return Optional.of(granted);
    }
}
