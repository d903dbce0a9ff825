package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.exception.DockerException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.engine.BoundedCall;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.log.LateLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Removes a container, running or not, and waits until the engine has removed it. */
public final class ContainerRemoval {
    private static final System.Logger LOG = LateLogger.of(ContainerRemoval.class);
    private static final Duration BOUND = Duration.ofSeconds(10);

    /** How long to wait for the engine's own removal of a container. */
    private static final Duration OWN = Duration.ofSeconds(1);

    private static final int CONFLICT = 409;

    private ContainerRemoval() {}

    /** Removes the container, if it exists, within 10 seconds. */
    public static void of(Engine engine, String container) {
        of(engine, container, BOUND);
    }

    /**
     * Removes the container, if it exists.
     *
     * @param bound how long to wait; an engine that cannot end a container's processes does not answer
     * @throws ContainerLeft if the container could not be removed in time
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine cannot be reached
     */
    public static void of(Engine engine, String container, Duration bound) {
        try {
            boolean unused = BoundedCall.within(bound, () -> remove(engine, container));
        } catch (TimeoutException late) {
            throw new ContainerLeft(
                    "the engine at " + engine.where() + " has not removed the container " + container + " within "
                            + bound.toSeconds() + " s; remove it by hand (" + removal(engine, container)
                            + "), or restart the engine if it does not answer",
                    late);
        } catch (DockerException refusal) {
            throw left(engine, container, Engine.message(refusal), Optional.of(refusal));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw interrupted(container, interrupt);
        }
    }

    /**
     * Waits until the engine has removed an exited container with auto-removal; removes it if the engine does not.
     *
     * @param bound how long to wait for a removal that this method requests
     * @throws ContainerLeft if the container could not be removed in time
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine cannot be reached
     */
    public static void ofEnded(Engine engine, String container, Duration bound) {
        try {
            boolean unused = BoundedCall.within(OWN, () -> awaitGone(engine, container));
        } catch (TimeoutException | ContainerLeft | DockerException late) {
            LOG.log(System.Logger.Level.DEBUG, "the engine has not removed the container by itself", late);
            of(engine, container, bound);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw interrupted(container, interrupt);
        }
    }

    private static ContainerLeft interrupted(String container, InterruptedException interrupt) {
        return new ContainerLeft("interrupted while the container " + container + " was removed", interrupt);
    }

    private static ContainerLeft left(Engine engine, String container, String why, Optional<DockerException> cause) {
        String message = "the container " + container + " could not be removed: " + why + "; remove it by hand: "
                + removal(engine, container);
        return cause.map(refusal -> new ContainerLeft(message, refusal)).orElseGet(() -> new ContainerLeft(message));
    }

    private static String removal(Engine engine, String container) {
        return engine.program() + " rm -f " + container;
    }

    private static boolean remove(Engine engine, String container) {
        try {
            return delete(engine, container);
        } catch (DockerException refusal) {
            if (refusal.getHttpStatus() != CONFLICT) {
                throw refusal;
            }
            if (Engine.message(refusal).contains("paused")) {
                // SIGKILL does not take effect in a frozen process, and some engines require an unpause first.
                var unused = engine.post("/containers/" + container + "/unpause");
                return delete(engine, container);
            }
            // The container has exited and the engine is removing it.
            return awaitGone(engine, container);
        }
    }

    private static boolean delete(Engine engine, String container) {
        return engine.delete("/containers/" + container + "?v=true&force=true");
    }

    /** Waits for the engine's own removal; the caller bounds it. */
    private static boolean awaitGone(Engine engine, String container) {
        String fault = engine.post("/containers/" + container + "/wait?condition=removed")
                .map(answer -> answer.path("Error").path("Message").asText())
                .orElse("");
        if (!fault.isEmpty()) {
            throw left(engine, container, fault, Optional.empty());
        }
        return true;
    }

    /** Reports that a Paddock container could not be removed. */
    public static final class ContainerLeft extends ExecutorException {
        private static final long serialVersionUID = 1L;

        public ContainerLeft(String message) {
            super(message);
        }

        public ContainerLeft(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
