package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.command.Container;
import dev.paddock.executor.docker.command.ContainerCommand;
import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.process.Order;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands in a Docker container: one that runs already, or one of its own.
 *
 * <p>Attached to a container, it never removes it unless {@linkplain DockerExecutorBuilder#removeOnDispose() asked to}, and
 * guarantees what the container's configuration does. With an image, it makes a container when the first command comes, and
 * removes it at disposal; the container ends with the JVM, however that ends.
 *
 * <p>Nothing is required of an image but a shell named {@code sh}. Where 128 + n is reported for death by signal n, an exit
 * code of 128 + n reads the same: {@link Guarantee#EXACT_STATUS} is not claimed.
 *
 * <p>A variable that some shell would change on the way to the command ({@code RANDOM}, {@code LINENO} and their like) is
 * refused with a {@link dev.paddock.executor.SpawnException}.
 *
 * <p>The engine is the one that the {@code docker} command would use: {@code DOCKER_HOST} and its like, the current context,
 * or the default socket; unix sockets, TCP and TLS.
 */
public final class DockerExecutor implements CommandExecutor {
    private static final Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    private final ContainerSource place;
    private final ReentrantLock lock = new ReentrantLock();
    private final AbortController disposing = new AbortController();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean disposed = new AtomicBoolean();
    private @Nullable Container container;
    private @Nullable Set<Guarantee> guarantees;

    /**
     * Attaches to a running container. The engine is asked when the first command comes.
     *
     * @param containerId its id or name; it is never removed
     */
    public DockerExecutor(String containerId) {
        this(containerId, Map.of());
    }

    /**
     * Attaches to a running container.
     *
     * @param containerId its id or name; it is never removed
     * @param env laid over the container's own environment for each command
     */
    public DockerExecutor(String containerId, Map<String, String> env) {
        this(builder().container(containerId).env(env).place());
    }

    DockerExecutor(ContainerSource place) {
        this.place = place;
    }

    /**
     * A builder with the defaults.
     *
     * @return the builder
     */
    public static DockerExecutorBuilder builder() {
        return new DockerExecutorBuilder();
    }

    @Override
    public String name() {
        return Engine.BACKEND;
    }

    /**
     * What the container enforces. Attached to a container, the engine is asked for its configuration, once.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine or the container is not there
     */
    @Override
    public Set<Guarantee> guarantees() {
        lock.lock();
        try {
            Set<Guarantee> known = guarantees;
            if (known == null) {
                known = Set.copyOf(place.guarantees());
                guarantees = known;
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        Order.requireCommand(command);
        options.signal().throwIfAborted();
        try {
            return ready(options.signal()).spawn(command, options);
        } catch (SandboxLostException | AbortedException fault) {
            if (disposing.signal().aborted() && !options.signal().aborted()) {
                // Given up while the command was handed over.
                ExecutorDisposedException disposed = new ExecutorDisposedException(Engine.BACKEND);
                disposed.addSuppressed(fault);
                throw disposed;
            }
            throw fault;
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

    /** Makes the container ready for the first command. */
    void start() {
        ready(AbortSignal.never()).prepare();
    }

    private Container ready(AbortSignal signal) {
        lock.lock();
        try {
            if (disposed.get()) {
                throw new ExecutorDisposedException(Engine.BACKEND);
            }
            Container usable = container;
            if (usable == null || usable.isLost()) {
                // What ran in a lost container may still run: it is ended before the next command starts.
                List<ContainerCommand> survivors = usable == null ? List.of() : usable.commands();
                usable = place.open(survivors, AbortSignal.any(signal, disposing.signal()));
                container = usable;
            }
            return usable;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void dispose() {
        if (disposed.compareAndSet(false, true)) {
            disposing.abort("the executor is disposed of");
            Thread.ofVirtual().name("paddock-docker-dispose").start(this::end);
        }
        await();
    }

    private void end() {
        try {
            Container held = inUse();
            if (held != null) {
                held.endAll();
                held.close();
            }
            place.dispose();
            disposal.complete(null);
        } catch (RuntimeException fault) {
            disposal.completeExceptionally(fault);
        }
    }

    /** Waits for a container that is being made. */
    private @Nullable Container inUse() {
        lock.lock();
        try {
            return container;
        } finally {
            lock.unlock();
        }
    }

    private void await() {
        try {
            disposal.get(DISPOSE_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException late) {
            throw new Removal.ContainerLeft(
                    "not everything could be ended within " + DISPOSE_BOUND.toSeconds() + " s: " + place.what(), late);
        } catch (java.util.concurrent.ExecutionException fault) {
            throw fault.getCause() instanceof ExecutorException known
                    ? known
                    : new Removal.ContainerLeft("the executor could not be disposed of: " + fault.getMessage(), fault);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Removal.ContainerLeft("interrupted while disposing of " + place.what(), interrupt);
        }
    }

    /**
     * Which container the commands run in, for the engine's own tools. It stays the executor's.
     *
     * @return the engine's id of it; empty before there is one
     */
    public Optional<String> containerId() {
        return Optional.ofNullable(inUse()).map(Container::id);
    }

    int waitingSlots() {
        Container held = inUse();
        return held == null ? 0 : held.waitingSlots();
    }
}
