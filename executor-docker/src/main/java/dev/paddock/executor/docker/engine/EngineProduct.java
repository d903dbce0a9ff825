package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.Availability;
import java.util.Optional;

/**
 * Determines whether a socket belongs to Docker's engine. Podman offers a similar interface, whose
 * containers and processes start and end differently.
 */
public final class EngineProduct {
    private static final String DOCKER = "Engine";

    private EngineProduct() {}

    /**
     * Returns why an engine is not Docker's, by the components that it names; empty if it is.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    public static Optional<Availability.Unusable> obstacle(Engine engine) {
        JsonNode version = engine.require("/version");
        JsonNode components = version.path("Components");
        for (JsonNode component : components) {
            if (component.path("Name").asText().equals(DOCKER)) {
                return Optional.empty();
            }
        }
        String found = components.isEmpty()
                ? "an engine that names no components"
                : components.path(0).path("Name").asText() + " "
                        + version.path("Version").asText();
        return Optional.of(new Availability.Unusable(
                "the engine at " + engine.where() + " is not Docker's, but " + found,
                "Set DOCKER_HOST to the socket of a Docker engine."));
    }
}
