package dev.paddock.executor.docker.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerConnection;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.container.EngineInfo;
import dev.paddock.executor.docker.container.OwnFiles;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.EngineProduct;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.network.NetworkVariables;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.command.WorktreeProtection;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.SessionContainer;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Manages the executor's own container: creates it on demand, recreates it after a loss, removes it at the end. */
public final class ManagedContainerSource implements ContainerSource {
    private static final System.Logger LOG = LateLogger.of(ManagedContainerSource.class);

    /** A container ends within a tenth of a second, unless its engine does not answer. */
    private static final Duration END = Duration.ofSeconds(1);

    /** Bounds the removal of a container that has ended, or has not started. */
    static final Duration REMOVAL = Duration.ofSeconds(5);

    /** Bounds the removal of a container that did not end in time, to stay within the 10 s of C11. */
    private static final Duration FORCED_REMOVAL = Duration.ofSeconds(2);

    private final Engine engine;
    private final ManagedSettings settings;
    private final WorktreeProtection protection;
    private final Optional<ContainerNetwork> network;
    private final ContainerPorts ports;
    private final ContainerStarter starter;
    private final Map<String, String> environment;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable KeepAliveAttach attach;

    /** The user of the container's commands; set before there is a container. */
    private volatile String user;

    /** The product of the container's engine; set before there is a container. */
    private volatile EngineProduct product = EngineProduct.DOCKER;

    /** A probe's report, only for the first container. */
    private volatile Optional<EngineReport> probed;

    /**
     * Creates the source; the container is created at the first command.
     *
     * @param probed the engine's report, if it was just probed
     * @param observed the observers and the approver of its connections
     */
    public ManagedContainerSource(
            Engine engine,
            Optional<EngineReport> probed,
            ManagedSettings settings,
            ExecutorOptions observed,
            Map<String, String> hostEnvironment) {
        this.engine = engine;
        this.probed = probed;
        this.settings = settings;
        this.user = settings.user();
        // Refuses an unsupported policy now, not at the first command.
        ContainerPolicyCheck.managed(
                        settings.policy(),
                        ContainerNetwork.obstacle(engine, Optional.empty(), settings.runtime()),
                        settings.runtime())
                .apartFrom(WorktreeProtection.stateDirectory(), settings.quarantine())
                .require();
        settings.specification(ProtectionPlan.NONE, settings.user(), OwnFiles.NONE);
        this.ports = new ContainerPorts(observed);
        this.network = settings.policy().network() instanceof NetworkPolicy.Allow allowed
                ? Optional.of(new ContainerNetwork(allowed, observed))
                : Optional.empty();
        this.protection =
                WorktreeProtection.over(Engine.BACKEND, settings.policy(), settings.quarantine(), this::isEnded);
        this.starter = new ContainerStarter(engine, settings, protection, network);
        Map<String, String> variables = new HashMap<>();
        variables.put("HOME", ContainerSpec.HOME);
        variables.putAll(NetworkVariables.of(settings.policy().network()));
        variables.putAll(settings.policy().environment().resolve(hostEnvironment));
        this.environment = Map.copyOf(variables);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return Optional.of(settings.policy().worktree());
    }

    @Override
    public Set<Guarantee> guarantees() {
        EngineInfo info = fresh().map(EngineReport::info).orElseGet(() -> EngineInfo.of(engine));
        Set<Guarantee> kept = ContainerGuarantees.kept(
                ContainerNetwork.obstacle(engine, Optional.of(info), settings.runtime()),
                settings.policy().network(),
                settings.runtime(),
                info.limits());
        if (settings.extra().writableRoot()) {
            // The shell that ends commands is a file of the image.
            kept.remove(Guarantee.TREE_KILL);
        }
        return kept;
    }

    private Optional<EngineReport> fresh() {
        return probed.filter(EngineReport::isFresh);
    }

    @Override
    public boolean isKept(Path path) {
        return protection.isKept(path);
    }

    @Override
    public Optional<WorktreeGuard.Command> announce() {
        return Optional.of(protection.announce());
    }

    @Override
    public Supplier<List<String>> observe() {
        return network.map(ContainerNetwork::observe).orElse(List::of);
    }

    @Override
    public void requirePublishing(SpawnOptions options) {
        ContainerNetwork.obstacle(engine, Optional.empty(), settings.runtime())
                .ifPresent(reason -> options.refusePublishing(Engine.BACKEND, reason));
        network.ifPresent(served -> served.requireFree(options));
    }

    @Override
    public Publication publish(RemoteSystem remote, List<PublishedPort> wanted) {
        return ports.publish(starter.sockets(remote.id()), wanted);
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        opening.lock();
        try {
            KeepAliveAttach held = reusable();
            if (held == null) {
                replace();
                EngineReport report = fresh().orElseGet(() -> EngineReport.of(engine));
                probed = Optional.empty();
                EngineInfo info = settings.requireUsable(report, signal);
                OwnContainer.warn(engine, settings.policy().worktree().hostPath());
                user = settings.userOfCommands(engine);
                product = report.product();
                held = starter.start(product, info, user);
                attach = held;
                sweepInBackground();
            }
            return open(held, survivors);
        } finally {
            opening.unlock();
        }
    }

    private RemoteSystem open(KeepAliveAttach held, List<RemoteCommand> survivors) {
        // The container is removed when it ends, so that it has only one run.
        SystemContext inside = new SystemContext(
                held.container(),
                held.container(),
                ContainerConnection.subreaper(product),
                held.pid(),
                OrphanPolicy.ALL,
                settings.policy().limits().memoryBytes());
        try {
            return RemoteSystem.open(new ContainerConnection(engine, held.container(), user), inside, this, survivors);
        } catch (RuntimeException fault) {
            try {
                release();
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        }
    }

    /**
     * Removes containers of dead JVMs, after each start (C12). No start waits for it: an engine that cannot remove a
     * container answers after a minute or never. {@code paddock gc} reports the rest.
     */
    private void sweepInBackground() {
        DaemonThreads.virtual("paddock-docker-sweep").start(() -> {
            try {
                PrivateState.sweep(Engine.BACKEND, SweepMode.REMOVE);
                ContainerSweep.of(engine, SweepMode.REMOVE).forEach(line -> LOG.log(System.Logger.Level.DEBUG, line));
            } catch (RuntimeException fault) {
                LOG.log(System.Logger.Level.DEBUG, "the leftovers of dead runs were not removed", fault);
            }
        });
    }

    /**
     * Returns the previous container if it still runs: it was paused, or the engine was unreachable. A container that
     * the engine cannot inspect is not reused.
     */
    private @Nullable KeepAliveAttach reusable() {
        KeepAliveAttach held = attach;
        if (held == null || !held.isOpen()) {
            return null;
        }
        ContainerState state;
        try {
            state = ContainerState.of(engine, held.container());
        } catch (SandboxUnavailableException silence) {
            LOG.log(System.Logger.Level.DEBUG, "the container cannot be inspected", silence);
            engine.call(client -> client.pingCmd().exec());
            return null;
        }
        if (state.word().equals("paused")) {
            throw new SandboxUnavailableException(
                    Engine.BACKEND, new Availability.Unusable(state.describe(), state.remedy(engine.program())));
        }
        return state.usable() ? held : null;
    }

    /** Removes a killed session's container; returns false if that is not confirmed. */
    private boolean isEnded(SessionContainer left) {
        if (!left.engine().equals(engine.where())) {
            return false;
        }
        try {
            ContainerRemoval.of(engine, left.id(), REMOVAL);
            return true;
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.WARNING, fault.getMessage());
            return false;
        }
    }

    private void release() {
        network.ifPresent(ContainerNetwork::stop);
        ports.stop();
        KeepAliveAttach held = attach;
        if (held != null) {
            boolean ended = held.end(END);
            if (ended) {
                attach = null;
                ContainerRemoval.ofEnded(engine, held.container(), REMOVAL);
            } else {
                ContainerRemoval.of(engine, held.container(), FORCED_REMOVAL);
            }
            attach = null;
        }
    }

    /**
     * Ends the container before another is created. Only logs a failure to remove an exited one, in which no process is
     * left: it has auto-removal, so the engine removes it, or {@code paddock gc} does.
     */
    private void replace() {
        try {
            release();
        } catch (ContainerRemoval.ContainerLeft left) {
            if (attach != null) {
                throw left;
            }
            LOG.log(System.Logger.Level.WARNING, left.getMessage());
        }
    }

    @Override
    public boolean end() {
        KeepAliveAttach held = attach;
        return held != null && held.end(END);
    }

    /** Returns the engine's id of the container, while there is one. */
    @Nullable
    String container() {
        KeepAliveAttach held = attach;
        return held == null ? null : held.container();
    }

    @Override
    public int warmSlots() {
        return settings.warmSlots();
    }

    @Override
    public String what() {
        String name = container();
        return name == null ? "a container of the image '" + settings.image() + "'" : "the container " + name;
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        opening.lock();
        try {
            release();
            survivors.forEach(RemoteCommand::confirmEnd);
        } catch (SandboxUnavailableException unreachable) {
            throw new ContainerRemoval.ContainerLeft(
                    what() + " may be left, since " + unreachable.reason()
                            + ". The engine removes it when it starts again; else paddock gc does, once this process"
                            + " has ended",
                    unreachable);
        } finally {
            opening.unlock();
            network.ifPresent(ContainerNetwork::close);
            ports.close();
            protection.close();
        }
    }
}
