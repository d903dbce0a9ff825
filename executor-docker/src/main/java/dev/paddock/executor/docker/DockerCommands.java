package dev.paddock.executor.docker;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Availability;
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
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.process.warm.CommandRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Starts the commands of a {@link DockerExecutor}, in a container that is opened at the first one.
 */
final class DockerCommands {
    private static final Duration DISPOSE_BOUND = Duration.ofSeconds(10);

    private final ContainerSource place;
    private final ReentrantLock lock = new ReentrantLock();
    private final AbortController disposing = new AbortController();
    private final CompletableFuture<Void> disposal = new CompletableFuture<>();
    private final AtomicBoolean disposed = new AtomicBoolean();
    private @Nullable Container container;
    private @Nullable Set<Guarantee> guarantees;

    DockerCommands(ContainerSource place) {
        this.place = place;
    }

    Set<Guarantee> guarantees() {
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

    ProcessLike spawn(String command, SpawnOptions options) {
        CommandRequest.requireCommand(command);
        options.signal().throwIfAborted();
        try {
            return ready(options.signal()).spawn(command, options);
        } catch (SandboxLostException | AbortedException fault) {
            if (disposing.signal().aborted() && !options.signal().aborted()) {
                // The executor was disposed of while the command was being handed to its slot.
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

    /** Prepares the container for the first command. */
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
                // Commands of a lost container may still be running: they are killed before the
                // next command starts.
                List<ContainerCommand> survivors = usable == null ? List.of() : usable.commands();
                usable = place.open(survivors, AbortSignal.any(signal, disposing.signal()));
                container = usable;
            }
            return usable;
        } finally {
            lock.unlock();
        }
    }

    void dispose() {
        if (disposed.compareAndSet(false, true)) {
            disposing.abort("the executor is disposed of");
            DaemonThreads.virtual("paddock-docker-dispose").start(this::end);
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

    /** Waits for a container that is being created. */
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

    Optional<String> containerId() {
        return Optional.ofNullable(inUse()).map(Container::id);
    }

    int waitingSlots() {
        Container held = inUse();
        return held == null ? 0 : held.waitingSlots();
    }
}
