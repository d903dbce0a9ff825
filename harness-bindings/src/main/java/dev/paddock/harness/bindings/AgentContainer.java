package dev.paddock.harness.bindings;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.audit.AuditedExecutor;
import dev.paddock.harness.audit.Redaction;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives guests five capabilities over one directory and no other access to the host: {@code WORKSPACE}, {@code EXEC},
 * {@code ENV}, {@code SECRETS} and {@code OBSERVE}.
 * <pre>{@code
 * try (AgentContainer container = AgentContainer.builder(project)
 *         .exec(ExecPolicy.only(List.of("git")))
 *         .build()) {
 *     String readme = container.workspace().readText("README.md");
 *     ExecResult status = container.exec().run(ExecRequest.of("git", "status", "--short"));
 * }
 * }</pre>
 *
 * <p>The container starts at its first use or at {@link #start}, which copies a shadow. The first write or command
 * creates the executor, which determines the files that commands may not change; the first command starts the sandbox.
 * Closing the container ends its commands, then removes the shadow. Thread-safe.
 *
 * <p>A secret appears in no file content that {@code WORKSPACE} returns, in no command's environment unless
 * {@link ExecPolicy#withSecrets} permits it, and in no event.
 *
 * @since 0.1
 */
public final class AgentContainer implements AutoCloseable {
    /** The root's path for commands, in a backend that maps paths. */
    public static final String WORKTREE = "/workspace";

    /** The names of the bindings. */
    static final List<String> BINDINGS = List.of("WORKSPACE", "EXEC", "ENV", "SECRETS", "OBSERVE");

    private final ContainerOptions options;
    private final Redaction redaction;
    private final Events events;
    private final WorkspaceBinding workspace;
    private final ExecBinding exec;
    private final EnvBinding env;
    private final EnvBinding secrets;
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();
    private final AtomicBoolean names = new AtomicBoolean();
    private Status status = Status.CREATED;
    private final Set<AutoCloseable> sessions = Collections.newSetFromMap(new IdentityHashMap<>());
    private Optional<OpenedContainer> opened = Optional.empty();
    private Optional<CommandExecutor> executor = Optional.empty();

    /** Whether guests work in the directory and the mounts, or in copies of what they may write. */
    public enum Mode {
        /** In the directory itself. */
        LIVE,
        /**
         * In a copy of it and of each writable mount, made when the container starts and removed when
         * it is closed.
         */
        SHADOW;

        String label() {
            return this == LIVE ? "live" : "shadow";
        }
    }

    /** The state of a container. */
    public enum Status {
        /** Its files are not open yet. */
        CREATED,
        /** Its files are open. */
        STARTED,
        /** It is closed; every use of it fails. */
        STOPPED
    }

    AgentContainer(ContainerOptions options) {
        this.options = options;
        redaction = Redaction.standard().hiding(this::knownSecrets);
        events = new Events(options.audit(), options.clock(), redaction);
        workspace = new WorkspaceBinding(
                () -> opened().files(),
                path -> opened().variables().view(path, opened().unruled()),
                path -> opened().variables().isSource(path),
                events);
        exec = new ExecBinding(
                options.exec().orElse(ExecPolicy.none()),
                this::executor,
                new CommandDirectories(
                        () -> opened().files(), new PathMapping(options.root(), WORKTREE), options.mounts()),
                () -> opened().variables(),
                events);
        env = new EnvBinding(() -> opened().variables(), events, /* secret */ false);
        secrets = new EnvBinding(() -> opened().variables(), events, /* secret */ true);
    }

    /**
     * Returns a builder with the defaults: the directory itself, no mounts, no command, variables as
     * {@link EnvOptions#standard}, no fetch, no audit.
     *
     * @param root the existing directory that the container works in
     */
    public static ContainerOptions.Builder builder(Path root) {
        return new ContainerOptions.Builder(root);
    }

    /**
     * Opens the container's files and reads its variables. Idempotent.
     *
     * @throws IllegalStateException after {@link #close()}
     * @throws dev.paddock.harness.files.access.FileException if a required file of variables is missing
     * @throws java.io.UncheckedIOException if the root or a mount cannot be opened, or copied
     */
    public void start() {
        opened();
    }

    private synchronized void requireOpen() {
        if (status == Status.STOPPED) {
            throw new IllegalStateException("the container of '" + options.root() + "' is closed; build another");
        }
    }

    private synchronized List<String> knownSecrets() {
        return opened.map(parts -> parts.variables().secretValues()).orElse(List.of());
    }

    private synchronized OpenedContainer opened() {
        requireOpen();
        if (opened.isEmpty()) {
            try {
                opened = Optional.of(OpenedContainer.open(options, owned, this::isKept));
            } catch (RuntimeException fault) {
                closeOwned();
                throw fault;
            }
            status = Status.STARTED;
            events.host(BindingEvent.of(Scope.CONTAINER, "start", Outcome.SUCCESS)
                    .on(options.root().toString()));
            Variables all = opened.get().variables();
            events.host(BindingEvent.of(Scope.ENV, "resolve", Outcome.SUCCESS)
                    .with(all.names(false).size() + " public, "
                            + all.names(true).size() + " secret"));
        }
        return opened.get();
    }

    /**
     * {@return the policy of the container's commands: its root and mounts, its hidden files, no network unless the
     * options grant it} For a program that creates the executor itself.
     */
    public SandboxPolicy commandPolicy() {
        OpenedContainer parts = opened();
        SandboxPolicy.Builder policy = SandboxPolicy.builder(new PathMapping(parts.root(), WORKTREE))
                .network(options.network())
                .limits(options.limits())
                .hidden(parts.hidden());
        parts.mounts().forEach(policy::mount);
        return policy.build();
    }

    private CommandExecutor create(ExecutorOptions wanted) {
        return options.executor()
                .map(factory -> factory.create(wanted))
                .orElseGet(() -> ExecutorProviders.open(options.backend(), wanted));
    }

    private synchronized CommandExecutor executor() {
        SandboxPolicy policy = commandPolicy();
        if (executor.isEmpty()) {
            ExecutorOptions wanted = ExecutorOptions.of(policy);
            CommandExecutor made = options.audit().isEmpty()
                    ? create(wanted)
                    : AuditedExecutor.builder(
                                    observer -> create(wanted.onRelayedConnection(observer)),
                                    options.audit().get())
                            .policy(policy)
                            .redaction(redaction)
                            .clock(options.clock())
                            .build();
            owned.push(made);
            executor = Optional.of(made);
        }
        return executor.get();
    }

    /**
     * Returns whether the executor prevents commands from changing a file. If guests run no commands and no executor
     * can be created, returns false: then only the protected names apply.
     */
    private boolean isKept(Path path) {
        if (options.exec().filter(ExecPolicy::isEnabled).isPresent()) {
            return executor().isKept(path);
        }
        if (!names.get()) {
            try {
                return executor().isKept(path);
            } catch (ExecutorException unusable) {
                names.set(true);
            }
        }
        return false;
    }

    /** {@return the files} */
    public WorkspaceBinding workspace() {
        return workspace;
    }

    /** {@return the commands} */
    public ExecBinding exec() {
        return exec;
    }

    /** {@return the public variables} */
    public EnvBinding env() {
        return env;
    }

    /** {@return the secrets} */
    public EnvBinding secrets() {
        return secrets;
    }

    /** Records an event that a guest reports; the record marks it as a guest's. */
    public void observe(BindingEvent event) {
        opened();
        events.guest(event);
    }

    /**
     * Records an event of the host about a guest of this container.
     *
     * @param event the event
     */
    public void record(BindingEvent event) {
        events.host(event);
    }

    /** {@return the hosts that guests may fetch from} */
    public FetchPolicy fetch() {
        return options.fetch();
    }

    /**
     * Returns the bindings as tools of a session: {@code read}, {@code write}, {@code edit}, {@code glob}, {@code grep}
     * and {@code bash}, which runs one program. {@code tools(container.tools())} replaces a session's own tools by all
     * of them, {@code ToolSelection.toolOverrides} by some.
     *
     * @return the tools; the program still closes the container
     */
    public List<Tool> tools() {
        return BindingTools.of(this);
    }

    /** {@return the host directory that the container works in, or in a copy of} */
    public Path root() {
        return options.root();
    }

    /**
     * {@return a description of the container without any variable's value: its root, its bindings, which options are
     * set, and the names of the variables}
     */
    public Json describe() {
        Variables variables = opened().variables();
        return Json.object()
                .with("root", options.root().toString())
                .with("workspaceMode", options.mode().label())
                .with("bindings", BINDINGS)
                .with("hasEnvPolicy", options.env().isPresent())
                .with("hasExecPolicy", options.exec().isPresent())
                .with("hasNetworkPolicy", !options.fetch().rules().isEmpty())
                .with("publicEnvKeys", variables.names(false))
                .with("secretEnvKeys", variables.names(true));
    }

    /** {@return the container's state} */
    public synchronized Status status() {
        return status;
    }

    /**
     * Registers an object to close before this container: a session of guests, whose calls would fail afterwards.
     *
     * @param session closed once, unless {@link #release} was called before; its close releases it
     * @throws IllegalStateException after {@link #close()}
     */
    public synchronized void closeBefore(AutoCloseable session) {
        requireOpen();
        sessions.add(session);
    }

    /**
     * Unregisters a closed object. Does nothing if it is not registered.
     *
     * @param session the same object as {@link #closeBefore} was given
     */
    public synchronized void release(AutoCloseable session) {
        sessions.remove(session);
    }

    /** Ends the sessions of guests and the commands, closes the files and removes the shadow. Idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            if (status == Status.STOPPED) {
                return;
            }
            boolean wasStarted = status == Status.STARTED;
            status = Status.STOPPED;
            if (wasStarted) {
                events.host(BindingEvent.of(Scope.CONTAINER, "stop", Outcome.SUCCESS)
                        .on(options.root().toString()));
            }
            sessions.forEach(owned::push); // on top of the stack, so closed first
            sessions.clear();
        }
        closeOwned();
    }

    private void closeOwned() {
        RuntimeException first = null;
        while (!owned.isEmpty()) {
            try {
                owned.pop().close();
            } catch (Exception fault) {
                RuntimeException unchecked =
                        fault instanceof RuntimeException known ? known : new IllegalStateException(fault);
                if (first == null) {
                    first = unchecked;
                } else {
                    first.addSuppressed(unchecked);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
