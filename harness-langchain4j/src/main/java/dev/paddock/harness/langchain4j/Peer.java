package dev.paddock.harness.langchain4j;

import dev.paddock.harness.tools.text.Excerpt;
import java.util.Optional;

/**
 * Identifies the provider and the model in messages.
 *
 * @param name the provider
 * @param model the model's name; empty if it is not known
 * @param baseUrl the base URL; empty if it is not known
 * @param key the key that is sent to the provider
 */
record Peer(String name, String model, String baseUrl, Optional<ApiKey> key) {
    private static final int MAX_LENGTH = 400;

    /** Returns the provider and its base URL. */
    String at() {
        return baseUrl.isEmpty() ? name : name + " at " + baseUrl;
    }

    String theModel() {
        return model.isEmpty() ? "the model" : "the model '" + model + "'";
    }

    /**
     * Returns foreign text in a form for messages: one short line, without the key and without
     * control characters.
     */
    String quote(String text) {
        String scrubbed = key.map(one -> one.scrub(text)).orElse(text);
        String line = scrubbed.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return Excerpt.cut(line, MAX_LENGTH);
    }

    @Override
    public String toString() {
        return model.isEmpty() ? at() : model + " of " + at();
    }
}
