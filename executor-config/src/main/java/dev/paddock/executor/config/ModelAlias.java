package dev.paddock.executor.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A model of {@code paddock agent} under a name of the user's.
 *
 * @param name the name; the model named {@code default} is used if the command line names none
 * @param provider the provider's name
 * @param model the provider's name of the model
 * @param baseUrl where the provider is; empty for its usual address
 * @param keyEnv the variable with the provider's key; empty for its usual one
 * @param maxTokens the most tokens of one answer, 1 or more; empty for the provider's limit
 * @since 0.1
 */
public record ModelAlias(
        String name,
        String provider,
        String model,
        Optional<String> baseUrl,
        Optional<String> keyEnv,
        OptionalInt maxTokens) {
    /** The name of the model that is used if the command line names none. */
    public static final String DEFAULT = "default";
}
