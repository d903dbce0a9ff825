package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.command.Container;
import dev.paddock.executor.docker.command.ContainerBackend;
import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts the commands of a {@link DockerExecutor} through the spawner, and disposes of it. */
final class DockerCommands {
    private static final Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    /**
     * The engine spends a tenth of a second of processor time on starting a slot: the delay lets a
     * short command finish first.
     */
    private static final Duration REFILL_DELAY = Duration.ofMillis(25);

    /** The commands' shell. Each slot looks it up in the container. */
    private static final String SHELL = "sh";

    private final ContainerSource source;
    private final ContainerBackend backend;
    private final SandboxedSpawner<Container> spawner;
    private final ReentrantLock lock = new ReentrantLock();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean disposed = new AtomicBoolean();
    private @Nullable Set<Guarantee> guarantees;

    DockerCommands(ContainerSource source) {
        this.source = source;
        backend = new ContainerBackend(source);
        WarmPool.Settings slots = new WarmPool.Settings(
                "paddock-" + Engine.BACKEND,
                source.warmSlots(),
                WarmPool.Settings.DEFAULT_IDLE,
                REFILL_DELAY,
                WarmPool.Settings.DEFAULT_RETRY);
        spawner = new SandboxedSpawner<>(Engine.BACKEND, SHELL, slots, backend);
    }

    Set<Guarantee> guarantees() {
        lock.lock();
        try {
            Set<Guarantee> known = guarantees;
            if (known == null) {
                known = Set.copyOf(source.guarantees());
                guarantees = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    Optional<PathMapping> worktree() {
        return source.worktree();
    }

    void onConnection(Consumer<HostConnection> observer) {
        source.onConnection(observer);
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        if (options.terminal().isPresent() && !guarantees().contains(Guarantee.TERMINAL)) {
            throw new SpawnException(
                    source.what() + " is privileged, or has added capabilities or the host's processes:"
                            + " its commands could reach other terminals, so they get none; start the command without a"
                            + " terminal, or use another container");
        }
        try {
            return spawner.spawn(command, options, source.environment());
        } catch (DockerException refusal) {
            SandboxUnavailableException unavailable = new SandboxUnavailableException(
                    Engine.BACKEND,
                    new Availability.Unusable(
                            "the engine refuses: " + Engine.message(refusal),
                            "Look at docker info and at the engine's log."));
            unavailable.initCause(refusal);
            throw unavailable;
        }
    }

    /** Opens the container, and requests warm slots, before the first command. */
    void start() {
        spawner.prepare();
    }

    void dispose() {
        if (disposed.compareAndSet(false, true)) {
            DaemonThreads.virtual("paddock-docker-dispose").start(this::end);
        }
        await();
    }

    private void end() {
        try {
            spawner.close();
            disposal.complete(null);
        } catch (RuntimeException | Error fault) {
            disposal.completeExceptionally(fault);
        }
    }

    private void await() {
        try {
            disposal.get(DISPOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new Removal.ContainerLeft(
                    "not everything could be ended within " + DISPOSE_BOUND.toSeconds() + " s: " + source.what(), late);
        } catch (ExecutionException fault) {
            throw fault.getCause() instanceof ExecutorException known
                    ? known
                    : new Removal.ContainerLeft("the executor could not be disposed of: " + fault.getMessage(), fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Removal.ContainerLeft("interrupted while disposing of " + source.what(), interrupt);
        }
    }

    Optional<String> containerId() {
        return backend.containerId();
    }

    int waitingSlots() {
        return spawner.waitingSlots();
    }
}
