package dev.paddock.executor.docker.source;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.command.Container;
import dev.paddock.executor.docker.command.ContainerCommand;
import dev.paddock.executor.docker.command.ContainerContext;
import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Frames;
import dev.paddock.executor.docker.engine.HijackedConnection;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Manages the executor's own container: creates it on demand, recreates it after a loss, removes it
 * at the end.
 */
public final class ManagedContainerSource implements ContainerSource {
    private static final System.Logger LOG = System.getLogger(ManagedContainerSource.class.getName());
    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    private final Engine engine;
    private final ManagedSettings settings;
    private final WorktreeProtection protection;
    private final Map<String, String> environment;
    private @Nullable KeepAliveAttach lease;

    /** Creates the source; the container is created at the first command. */
    public ManagedContainerSource(Engine engine, ManagedSettings settings, Map<String, String> hostEnvironment) {
        this.engine = engine;
        this.settings = settings;
        // Refuses an unsupported policy now, not at the first command.
        ContainerPolicyCheck.managed(settings.policy())
                .apartFrom(WorktreeProtection.stateDirectory(), settings.quarantine())
                .require();
        settings.specification(ProtectionPlan.NONE);
        this.protection = WorktreeProtection.over(settings.policy(), settings.quarantine());
        Map<String, String> variables = new HashMap<>();
        variables.put("HOME", ContainerSpec.HOME);
        variables.putAll(settings.policy().environment().resolve(hostEnvironment));
        this.environment = Map.copyOf(variables);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Set<Guarantee> guarantees() {
        return kept(settings.policy().network(), settings.runtime());
    }

    /** Returns what a managed container guarantees. */
    public static Set<Guarantee> kept(NetworkPolicy network, Optional<String> runtime) {
        Set<Guarantee> kept = EnumSet.complementOf(EnumSet.of(Guarantee.ENV_CONFINED, Guarantee.EXACT_STATUS));
        if (network instanceof NetworkPolicy.Open) {
            kept.removeAll(Set.of(Guarantee.NETWORK_OFF, Guarantee.PRIVATE_LOOPBACK));
        }
        if (!ContainerFilter.binds(runtime)) {
            kept.remove(Guarantee.SYSCALL_FILTER);
        }
        return kept;
    }

    @Override
    public Supplier<List<String>> watch() {
        return protection.watch();
    }

    @Override
    public synchronized Container open(List<ContainerCommand> survivors, AbortSignal signal) {
        KeepAliveAttach held = reusable();
        if (held == null) {
            release();
            settings.requireUsable(engine, signal);
            sweep();
            held = start();
            lease = held;
        }
        ResourceLimits limits = settings.policy().limits();
        // The container is removed when it ends, so that it has only one run.
        ContainerContext inside = new ContainerContext(
                held.container(),
                held.container(),
                settings.user(),
                true,
                held.pid(),
                OrphanPolicy.ALL,
                limits.memoryBytes());
        try {
            Container opened = Container.open(engine, inside, this, survivors);
            protection.settleLost();
            return opened;
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
     * Removes what dead runs have left, at each start (C12). A failure to do so does not prevent
     * the start.
     */
    private void sweep() {
        try {
            List<String> done = new ArrayList<>();
            ContainerSweep.of(engine, done);
            PrivateState.sweep(Engine.BACKEND);
            done.forEach(line -> LOG.log(System.Logger.Level.INFO, line));
        } catch (RuntimeException fault) {
            LOG.log(System.Logger.Level.DEBUG, "what dead runs have left could not be looked for", fault);
        }
    }

    /**
     * Returns the container of the last life if it still runs: it was paused, or the engine was
     * unreachable.
     */
    private @Nullable KeepAliveAttach reusable() {
        KeepAliveAttach held = lease;
        if (held == null || held.connection().isClosed()) {
            return null;
        }
        ContainerState state = ContainerState.of(engine, held.container());
        if (state.word().equals("paused")) {
            throw new SandboxUnavailableException(
                    Engine.BACKEND, new Availability.Unusable(state.describe(), state.remedy()));
        }
        return state.usable() ? held : null;
    }

    private KeepAliveAttach start() {
        ContainerSpec spec = settings.specification(protection.plan());
        String container = create(spec);
        try {
            HijackedConnection connection = HijackedConnection.attach(engine, container);
            CompletableFuture<String> greeting = new CompletableFuture<>();
            Thread.ofVirtual()
                    .inheritInheritableThreadLocals(false)
                    .name("paddock-docker-lease")
                    .start(() -> listen(connection, greeting));
            engine.call(client -> client.startContainerCmd(container).exec());
            String said = greeting.get(START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return new KeepAliveAttach(container, connection, pid(said, settings.runtime()));
        } catch (IOException | ExecutionException | TimeoutException | DockerException fault) {
            Removal.of(engine, container);
            throw refused(fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            Removal.of(engine, container);
            throw refused(interrupt);
        } catch (RuntimeException fault) {
            Removal.of(engine, container);
            throw fault;
        }
    }

    private String create(ContainerSpec spec) {
        try {
            return engine.call(client ->
                    spec.applyTo(client.createContainerCmd(spec.image())).exec().getId());
        } catch (DockerException refusal) {
            throw refused(refusal);
        }
    }

    private SandboxUnavailableException refused(Exception fault) {
        Throwable cause = fault instanceof ExecutionException && fault.getCause() != null ? fault.getCause() : fault;
        String why =
                cause instanceof DockerException refusal ? Engine.message(refusal) : String.valueOf(cause.getMessage());
        String remedy = why.contains("executable file not found") || why.contains("no such file")
                ? "The image '" + settings.image() + "' needs a shell named sh; choose another image."
                : "Look at the settings that the message names; docker info says what the engine can do.";
        SandboxUnavailableException unavailable = new SandboxUnavailableException(
                Engine.BACKEND, new Availability.Unusable("the container could not be started: " + why, remedy));
        unavailable.initCause(fault);
        return unavailable;
    }

    /**
     * Parses the process id from the main process's greeting.
     *
     * @throws SandboxUnavailableException if it does not run under the filter that it should have
     *     been started with
     */
    public static long pid(String greeting, Optional<String> runtime) {
        String[] words = greeting.split(" ", -1);
        if (ContainerFilter.binds(runtime) && !words[words.length - 1].equals(ContainerFilter.ON)) {
            throw new SandboxUnavailableException(
                    Engine.BACKEND,
                    new Availability.Unusable(
                            "the engine has started the container without its system-call filter"
                                    + runtime.map(name -> ", by the runtime " + name)
                                            .orElse(", by its default runtime"),
                            "Name the runtime if it is one with a kernel of its own (runsc, kata); else repair it."));
        }
        return Long.parseLong(words[1]);
    }

    private static void listen(HijackedConnection connection, CompletableFuture<String> greeting) {
        StringBuilder said = new StringBuilder();
        try {
            new Frames(connection.input()).forEach((stream, bytes, length) -> {
                if (said.length() < 4096) {
                    said.append(new String(bytes, 0, length, StandardCharsets.UTF_8));
                }
                if (stream == 1 && said.indexOf("\n") > 0 && said.indexOf("lease ") == 0) {
                    greeting.complete(said.substring(0, said.indexOf("\n")));
                }
            });
            greeting.completeExceptionally(new IOException("its main process ended at once: " + said));
        } catch (IOException fault) {
            greeting.completeExceptionally(fault);
        } finally {
            connection.close();
        }
    }

    private synchronized void release() {
        KeepAliveAttach held = lease;
        if (held != null) {
            held.connection().close();
            Removal.of(engine, held.container());
            lease = null;
        }
    }

    /** Returns the engine's id of the container, while there is one. */
    synchronized @Nullable String container() {
        return lease == null ? null : lease.container();
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
    public void dispose() {
        try {
            release();
            protection.settleLost();
        } catch (SandboxUnavailableException unreachable) {
            throw new Removal.ContainerLeft(
                    what() + " may be left, since " + unreachable.reason()
                            + ". The engine removes it when it starts again; else paddock gc does, once this process"
                            + " has ended",
                    unreachable);
        } finally {
            protection.close();
        }
    }

    /**
     * The attach connection that keeps a container alive: the main process waits as long as it is
     * open.
     *
     * @param pid the main process's id, inside the container
     */
    private record KeepAliveAttach(String container, HijackedConnection connection, long pid) {}
}
