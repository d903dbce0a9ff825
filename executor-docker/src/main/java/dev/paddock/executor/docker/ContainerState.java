package dev.paddock.executor.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.NotFoundException;

/**
 * Whether a container can take commands.
 *
 * @param container its name, as it was asked for
 * @param word {@code running}, {@code paused}, {@code exited}, {@code absent}, …
 * @param outOfMemory whether it ended for want of memory
 */
record ContainerState(String container, String word, boolean outOfMemory) {

    static ContainerState of(Engine engine, String container) {
        return engine.call(client -> {
            try {
                return of(container, client.inspectContainerCmd(container).exec());
            } catch (NotFoundException absent) {
                return new ContainerState(container, "absent", false);
            }
        });
    }

    static ContainerState of(String container, InspectContainerResponse seen) {
        InspectContainerResponse.ContainerState state = seen.getState();
        String word = Boolean.TRUE.equals(state.getPaused()) ? "paused" : String.valueOf(state.getStatus());
        return new ContainerState(container, word, Boolean.TRUE.equals(state.getOOMKilled()));
    }

    boolean usable() {
        return word.equals("running");
    }

    String describe() {
        return switch (word) {
            case "absent" -> "there is no container '" + container + "'";
            case "paused" -> "the container '" + container + "' is paused";
            default ->
                "the container '" + container + "' does not run (" + word + ")"
                        + (outOfMemory ? "; its first process was ended for want of memory" : "");
        };
    }

    String remedy() {
        return switch (word) {
            case "absent" -> "Name one that runs (docker ps), or give an image to make one of.";
            case "paused" -> "Continue it: docker unpause " + container;
            default -> "Start it: docker start " + container;
        };
    }
}
