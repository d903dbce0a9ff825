package dev.paddock.executor.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Listens to the engine's events about one container: how a loss is noticed at once, without asking again and again. */
final class ContainerWatch extends ResultCallback.Adapter<Event> {
    private final String container;
    private final Consumer<String> onLoss;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ContainerWatch(String container, Consumer<String> onLoss) {
        this.container = container;
        this.onLoss = onLoss;
    }

    static Closeable over(Engine engine, String container, Consumer<String> onLoss) {
        ContainerWatch watch = new ContainerWatch(container, onLoss);
        engine.client()
                .eventsCmd()
                .withContainerFilter(container)
                .withEventFilter("die", "pause", "destroy", "oom")
                .exec(watch);
        return watch;
    }

    @Override
    public void onNext(Event event) {
        switch (String.valueOf(event.getStatus())) {
            case "die" -> tell("the container '" + container + "' has ended");
            case "pause" -> tell("the container '" + container + "' was paused");
            case "destroy" -> tell("the container '" + container + "' was removed");
            default -> {
                // oom: a command's own death, which its slot reports
            }
        }
    }

    @Override
    public void onError(Throwable fault) {
        tell("the connection to the engine ended: " + fault.getMessage());
        super.onError(fault);
    }

    @Override
    public void onComplete() {
        tell("the engine closed the connection");
        super.onComplete();
    }

    private void tell(String reason) {
        if (!closed.get()) {
            Thread.startVirtualThread(() -> onLoss.accept(reason));
        }
    }

    @Override
    public void close() throws IOException {
        closed.set(true);
        super.close();
    }
}
