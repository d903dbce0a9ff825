package dev.paddock.executor.config;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A model of {@code paddock agent} under a name of the user's, as a configuration has it.
 *
 * @param name the name; the model named {@code default} is taken if the command line names none
 * @param provider the provider's name
 * @param model the model, as its provider calls it
 * @param baseUrl where the provider is; empty for its usual address
 * @param keyEnv the variable that holds the provider's key; empty for its usual one
 * @param maxTokens how long one answer may be, in tokens, 1 or more; empty for the provider's limit
 * @since 0.1
 */
public record ModelAlias(
        String name,
        String provider,
        String model,
        Optional<String> baseUrl,
        Optional<String> keyEnv,
        OptionalInt maxTokens) {
    /** The name of the model that is taken if the command line names none. */
    public static final String DEFAULT = "default";
}
