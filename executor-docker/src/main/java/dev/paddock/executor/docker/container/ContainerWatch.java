package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.JsonStream;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Listens to the engine's events about one container, which report a loss at once and without polling. */
public final class ContainerWatch implements Closeable {
    private final String container;
    private final Consumer<String> onLoss;
    private final JsonStream events;
    private final AtomicBoolean closed = new AtomicBoolean();
    private boolean outOfMemory;

    private ContainerWatch(String container, Consumer<String> onLoss, JsonStream events) {
        this.container = container;
        this.onLoss = onLoss;
        this.events = events;
    }

    /**
     * Starts listening: events after this method returns are reported.
     *
     * @throws SandboxUnavailableException if the engine cannot be reached
     */
    public static Closeable over(Engine engine, String container, Consumer<String> onLoss) {
        ContainerWatch watch = new ContainerWatch(container, onLoss, events(engine, container));
        DaemonThreads.virtual("paddock-docker-events").start(watch::listen);
        return watch;
    }

    private static JsonStream events(Engine engine, String container) {
        String filters = "{\"container\":[\"" + container
                + "\"],\"event\":[\"die\",\"died\",\"pause\",\"destroy\",\"remove\",\"oom\"]}";
        try {
            return engine.follow("/events?filters=" + URLEncoder.encode(filters, StandardCharsets.UTF_8));
        } catch (DockerException refusal) {
            throw new SandboxLostException(
                    Engine.BACKEND, "the engine refuses to report its events: " + Engine.message(refusal), refusal);
        } catch (SandboxUnavailableException fault) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AbortedException("interrupted while the engine's events were requested");
            }
            throw fault;
        }
    }

    private void listen() {
        try {
            events.forEach(this::see);
            report("the engine closed the connection");
        } catch (IOException | RuntimeException fault) {
            report("the connection to the engine ended: " + fault.getMessage());
        } finally {
            events.close();
        }
    }

    private void see(JsonNode event) {
        // The second of two names is Podman's. Engines from API 1.52 on report no status, older ones than 1.22 no
        // action.
        switch (event.path("Action").asText(event.path("status").asText())) {
            case "die", "died" ->
                report("the container '" + container + "' has ended"
                        + (outOfMemory ? ", after a process in it was killed for lack of memory" : ""));
            case "pause" -> report("the container '" + container + "' was paused");
            case "destroy", "remove" -> report("the container '" + container + "' was removed");
            // The kernel killed either a command, which its slot reports, or the container, whose end event follows.
            case "oom" -> outOfMemory = true;
            default -> {}
        }
    }

    private void report(String reason) {
        if (!closed.get()) {
            DaemonThreads.virtual("paddock-docker-loss").start(() -> onLoss.accept(reason));
        }
    }

    @Override
    public void close() {
        closed.set(true);
        events.close();
    }
}
