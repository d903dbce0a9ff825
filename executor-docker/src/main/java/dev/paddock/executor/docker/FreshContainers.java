package dev.paddock.executor.docker;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.remote.command.RemoteProvider;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs each command in its own container. A process closes when its container is removed. */
final class FreshContainers {
    private final Supplier<RemoteProvider> sources;
    private final Set<DockerCommands> live = new HashSet<>();
    private boolean disposed;

    FreshContainers(Supplier<RemoteProvider> sources) {
        this.sources = sources;
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        DockerCommands container = create();
        try {
            return new Only(container.spawn(command, options), container);
        } catch (RuntimeException | Error fault) {
            try {
                remove(container);
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        }
    }

    private synchronized DockerCommands create() {
        if (disposed) {
            throw new ExecutorDisposedException(Engine.BACKEND);
        }
        DockerCommands container = new DockerCommands(sources.get());
        live.add(container);
        return container;
    }

    /** A container that cannot be removed stays in the live set, so that disposal retries. */
    private void remove(DockerCommands container) {
        container.dispose();
        synchronized (this) {
            live.remove(container);
        }
    }

    void dispose() {
        List<DockerCommands> left;
        synchronized (this) {
            disposed = true;
            left = List.copyOf(live);
        }
        List<CompletableFuture<Void>> ends = left.stream()
                .map(container -> CompletableFuture.runAsync(
                        () -> remove(container), DaemonThreads.virtual("paddock-docker-removal")::start))
                .toList();
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException fault) {
            if (fault.getCause() instanceof ExecutorException notRemoved) {
                throw notRemoved;
            }
            throw fault;
        }
    }

    /** The only command of a container. */
    private final class Only extends ForwardingProcess {
        private final CompletableFuture<CleanupReport> closed = new CompletableFuture<>();

        Only(ProcessLike process, DockerCommands container) {
            super(process);
            var unused = super.onClosed()
                    .whenComplete((report, fault) ->
                            DaemonThreads.virtual("paddock-docker-removal").start(() -> end(container, report, fault)));
        }

        private void end(DockerCommands container, @Nullable CleanupReport report, @Nullable Throwable fault) {
            try {
                remove(container);
            } catch (ExecutorException left) {
                closed.completeExceptionally(fault == null ? left : fault);
                return;
            }
            if (fault == null) {
                closed.complete(report);
            } else {
                closed.completeExceptionally(fault);
            }
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return closed;
        }
    }
}
