package dev.paddock.executor.docker.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.api.command.InspectContainerResponse;
import dev.paddock.executor.docker.engine.Engine;

/**
 * Whether a container can run commands.
 *
 * @param container its id or name, as the caller gave it
 * @param word {@code running}, {@code paused}, {@code exited}, {@code absent}, …
 * @param outOfMemory whether it was killed for lack of memory
 */
public record ContainerState(String container, String word, boolean outOfMemory) {

    /** Returns the state that the engine reports. */
    public static ContainerState of(Engine engine, String container) {
        return engine.ask("/containers/" + container + "/json")
                .map(seen -> of(container, seen.path("State")))
                .orElseGet(() -> new ContainerState(container, "absent", false));
    }

    private static ContainerState of(String container, JsonNode state) {
        String word = state.path("Paused").asBoolean()
                ? "paused"
                : state.path("Status").asText();
        return new ContainerState(container, word, state.path("OOMKilled").asBoolean());
    }

    /** Derives the state from the engine's answer. */
    public static ContainerState of(String container, InspectContainerResponse seen) {
        InspectContainerResponse.ContainerState state = seen.getState();
        String word = Boolean.TRUE.equals(state.getPaused()) ? "paused" : String.valueOf(state.getStatus());
        return new ContainerState(container, word, Boolean.TRUE.equals(state.getOOMKilled()));
    }

    public boolean usable() {
        return word.equals("running");
    }

    public String describe() {
        return switch (word) {
            case "absent" -> "there is no container '" + container + "'";
            case "paused" -> "the container '" + container + "' is paused";
            default ->
                "the container '" + container + "' does not run (" + word + ")"
                        + (outOfMemory ? "; its main process was killed for lack of memory" : "");
        };
    }

    /**
     * Returns the remedy after which the container can run commands.
     *
     * @param program the engine's, {@link Engine#program()}
     */
    public String remedy(String program) {
        return switch (word) {
            case "absent" -> "Name a running container (" + program + " ps), or an image to create one from.";
            case "paused" -> "Resume it: " + program + " unpause " + container;
            default -> "Start it: " + program + " start " + container;
        };
    }
}
