package dev.paddock.executor.docker.engine;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import java.util.Locale;
import java.util.Optional;

/**
 * The engines' products. Podman offers Docker's interface, but its containers differ in the forms of their settings and
 * in their init.
 */
public enum EngineProduct {
    DOCKER("Docker", "Engine", "docker", "systemctl status docker") {
        @Override
        String start() {
            String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
            if (system.contains("mac") || system.contains("win")) {
                return "Start Docker Desktop, or set DOCKER_HOST to a running engine.";
            }
            return "Start it (sudo systemctl start docker), install it (Debian: apt-get install docker.io; Fedora: dnf"
                    + " install moby-engine; Arch: pacman -S docker), or set DOCKER_HOST to a running engine, such as"
                    + " Podman's (" + PODMANS_OWN + ").";
        }

        @Override
        String permit() {
            return "Add the user to the group that owns the socket (sudo usermod -aG docker \"$USER\", then log in"
                    + " again), or use a rootless engine through DOCKER_HOST.";
        }
    },
    PODMAN("Podman", "Podman Engine", "podman", "systemctl --user status podman.socket, without --user as root") {
        @Override
        String start() {
            return "Start its service (" + PODMANS_OWN + "; root's: sudo systemctl start podman.socket), install it"
                    + " (Debian, Fedora and Arch: the package podman), or set DOCKER_HOST to a running engine.";
        }

        @Override
        String permit() {
            return "Use an engine of this user (" + PODMANS_OWN + ").";
        }
    };

    /** How an ordinary user starts a Podman service, and its address. */
    private static final String PODMANS_OWN =
            "systemctl --user start podman.socket;" + " DOCKER_HOST=unix://$XDG_RUNTIME_DIR/podman/podman.sock";

    private final String title;
    private final String component;
    private final String program;
    private final String status;

    EngineProduct(String title, String component, String program, String status) {
        this.title = title;
        this.component = component;
        this.program = program;
        this.status = status;
    }

    /** Guesses the product at an address, for messages about an engine that does not answer. */
    static EngineProduct at(String address) {
        return address.contains(PODMAN.program) ? PODMAN : DOCKER;
    }

    /** Returns the name of the product's program, for the commands that messages advise. */
    String program() {
        return program;
    }

    /** Returns how to inspect a silent engine. */
    String look() {
        return program + " info; " + status;
    }

    /** Returns how to start an engine where none listens. */
    abstract String start();

    /** Returns how a user who may not connect gets an engine. */
    abstract String permit();

    public String title() {
        return title;
    }

    /**
     * Returns the product of an engine, by the components that it names.
     *
     * @throws SandboxUnavailableException if the engine does not answer, or is another product
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
