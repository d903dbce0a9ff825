package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import java.util.Optional;

/**
 * The products whose engines run containers. Podman offers Docker's interface, but its containers differ in the forms
 * of their settings and in their init.
 */
public enum EngineProduct {
    DOCKER("Docker", "Engine"),
    PODMAN("Podman", "Podman Engine");

    private final String title;
    private final String component;

    EngineProduct(String title, String component) {
        this.title = title;
        this.component = component;
    }

    /** Returns the product's name, for messages. */
    public String title() {
        return title;
    }

    /**
     * Returns the product of an engine, by the components that it names.
     *
     * @throws SandboxUnavailableException if the engine does not answer, or is of another product
     */
    public static EngineProduct of(Engine engine) {
        JsonNode version = engine.require("/version");
        JsonNode components = version.path("Components");
        for (JsonNode component : components) {
            Optional<EngineProduct> product = named(component.path("Name").asText());
            if (product.isPresent()) {
                return product.get();
            }
        }
        String found = components.isEmpty()
                ? "an engine that names no components"
                : components.path(0).path("Name").asText() + " "
                        + version.path("Version").asText();
        throw new SandboxUnavailableException(
                Engine.BACKEND,
                new Availability.Unusable(
                        "the engine at " + engine.where() + " is neither Docker's nor Podman's, but " + found,
                        "Set DOCKER_HOST to the socket of Docker or Podman."));
    }

    private static Optional<EngineProduct> named(String component) {
        for (EngineProduct product : values()) {
            if (product.component.equals(component)) {
                return Optional.of(product);
            }
        }
        return Optional.empty();
    }
}
