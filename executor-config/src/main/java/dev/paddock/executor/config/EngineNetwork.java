package dev.paddock.executor.config;

import java.util.Optional;

/** A network of docker's engine as the text of a setting: {@code docker NAME}. */
final class EngineNetwork {
    private static final String PREFIX = "docker ";

    private EngineNetwork() {}

    static String text(String name) {
        if (name.isBlank() || !name.equals(name.strip())) {
            throw new IllegalArgumentException("network.docker is the name of a network, not '" + name + "'");
        }
        return PREFIX + name;
    }

    /** Returns the network's name if the text names one. */
    static Optional<String> name(String text) {
        return text.startsWith(PREFIX) ? Optional.of(text.substring(PREFIX.length())) : Optional.empty();
    }
}
