package dev.paddock.harness.langchain4j;

import dev.paddock.harness.tools.text.Excerpt;
import java.util.Optional;

/**
 * Who is spoken to, as messages name it.
 *
 * @param name the provider
 * @param model the model's name; empty if it is not known
 * @param place the base URL; empty if it is not known
 * @param key the key that is shown to it
 */
record Peer(String name, String model, String place, Optional<Key> key) {
    private static final int LONGEST = 400;

    /** The provider and where it is. */
    String at() {
        return place.isEmpty() ? name : name + " at " + place;
    }

    String theModel() {
        return model.isEmpty() ? "the model" : "the model '" + model + "'";
    }

    /** What others say, fit to be shown: one line, not long, without the key and without control characters. */
    String quote(String text) {
        String scrubbed = key.map(one -> one.scrub(text)).orElse(text);
        String line = scrubbed.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return Excerpt.cut(line, LONGEST);
    }

    @Override
    public String toString() {
        return model.isEmpty() ? at() : model + " of " + at();
    }
}
