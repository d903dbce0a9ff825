package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.remote.shell.CloseQuietly;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Listens to the engine's events about one container, so that a loss is noticed at once and without
 * polling.
 */
public final class ContainerWatch extends ResultCallback.Adapter<Event> {
    private final String container;
    private final Consumer<String> onLoss;
    private final CompletableFuture<Void> listening = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean outOfMemory;

    private ContainerWatch(String container, Consumer<String> onLoss) {
        this.container = container;
        this.onLoss = onLoss;
    }

    /**
     * Starts listening: events after this method returns are reported.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine cannot be reached
     */
    public static Closeable over(Engine engine, String container, Consumer<String> onLoss) {
        ContainerWatch watch = new ContainerWatch(container, onLoss);
        engine.client()
                .eventsCmd()
                .withContainerFilter(container)
                .withEventFilter("die", "pause", "destroy", "oom")
                .exec(watch);
        try {
            watch.listening.get();
            return watch;
        } catch (ExecutionException fault) {
            throw engine.unreachable(fault).orElseThrow(() -> refused(fault));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            CloseQuietly.close(watch);
            throw new AbortedException("interrupted while the container was looked after");
        }
    }

    private static RuntimeException refused(ExecutionException fault) {
        return new SandboxLostException(
                Engine.BACKEND, "the engine does not tell of its events: " + fault.getMessage(), fault);
    }

    @Override
    public void onStart(Closeable stream) {
        super.onStart(stream);
        listening.complete(null);
    }

    @Override
    public void onNext(Event event) {
        switch (String.valueOf(event.getStatus())) {
            case "die" ->
                tell("the container '" + container + "' has ended"
                        + (outOfMemory ? ", after a process in it had been ended for want of memory" : ""));
            case "pause" -> tell("the container '" + container + "' was paused");
            case "destroy" -> tell("the container '" + container + "' was removed");
            default ->
                // oom: either a command was killed, which its slot reports, or the container, whose
                // end event follows
                outOfMemory = true;
        }
    }

    /** Replaces the inherited method, which logs an error. */
    @Override
    public void onError(Throwable fault) {
        if (!listening.completeExceptionally(fault)) {
            tell("the connection to the engine ended: " + fault.getMessage());
        }
        CloseQuietly.close(this);
    }

    @Override
    public void onComplete() {
        tell("the engine closed the connection");
        super.onComplete();
    }

    private void tell(String reason) {
        if (!closed.get()) {
            DaemonThreads.virtual("paddock-docker-loss").start(() -> onLoss.accept(reason));
        }
    }

    @Override
    public void close() throws IOException {
        closed.set(true);
        super.close();
    }
}
