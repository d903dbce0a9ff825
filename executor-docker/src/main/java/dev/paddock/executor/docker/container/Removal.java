package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.engine.Engine;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Removes a container, running or not, and waits until it is gone. */
public final class Removal {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final long LOOK_MILLIS = 20;

    private Removal() {}

    /** Removes it; does nothing if it is not there. */
    public static void of(Engine engine, String container) {
        engine.call(client -> {
            try {
                client.removeContainerCmd(container)
                        .withForce(true)
                        .withRemoveVolumes(true)
                        .exec();
            } catch (NotFoundException gone) {
                return true;
            } catch (ConflictException conflict) {
                if (Engine.message(conflict).contains("paused")) {
                    unpause(client, container);
                } else {
                    // It ended by itself and the engine is removing it.
                    awaitGone(engine, container);
                }
            } catch (DockerException refusal) {
                throw new ContainerLeft(
                        "the container " + container + " could not be removed: " + Engine.message(refusal)
                                + "; remove it by hand: docker rm -f " + container,
                        refusal);
            }
            return true;
        });
    }

    /** KILL does nothing to a frozen process: some engines refuse, and want it thawed first. */
    private static void unpause(DockerClient client, String container) {
        client.unpauseContainerCmd(container).exec();
        client.removeContainerCmd(container)
                .withForce(true)
                .withRemoveVolumes(true)
                .exec();
    }

    static void awaitGone(Engine engine, String container) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!ContainerState.of(engine, container).word().equals("absent")) {
            if (System.nanoTime() > deadline) {
                throw new ContainerLeft("the container " + container + " is still there after " + BOUND.toSeconds()
                        + " s; remove it by hand: docker rm -f " + container);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new ContainerLeft("interrupted while the container " + container + " was removed", interrupt);
            }
        }
    }

    /** Something of ours is left. */
    public static final class ContainerLeft extends ExecutorException {
        private static final long serialVersionUID = 1L;

        /** Says what is left. */
        public ContainerLeft(String message) {
            super(message);
        }

        /** Says what is left, and why. */
        public ContainerLeft(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
