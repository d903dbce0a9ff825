package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * The text of a settings file, parsed. Each change returns a new document whose text differs only
 * where the change is; comments, order and line ends stay.
 */
sealed interface Document permits JsonDocument, TomlDocument {

    /** Returns the text. */
    String text();

    /** Returns the settings in it, as an object. */
    JsonNode settings();

    /**
     * Sets a value, and makes the objects above it where they do not exist.
     *
     * @throws RefusedException if the text has a form that cannot be changed in place
     */
    Document put(List<String> path, JsonNode value);

    /** Appends words to a list, which is made if it does not exist. */
    Document append(List<String> path, List<String> words);

    /** Removes words from a list. */
    Document removeWords(List<String> path, List<String> words);

    /** Removes a value; does nothing if there is none. */
    Document remove(List<String> path);

    /** Returns the text of a value. */
    Optional<String> raw(List<String> path);

    /** Replaces a value, which exists, by a text that {@link #raw} has returned. */
    Document restore(List<String> path, String raw);

    /** Returns the line end that the text uses; {@code \n} if it has none. */
    static String lineEnd(String text) {
        int end = text.indexOf('\n');
        return end > 0 && text.charAt(end - 1) == '\r' ? "\r\n" : "\n";
    }

    /** Returns the number of the line that contains an offset, from 1. */
    static int line(String text, int offset) {
        return 1
                + (int) text.substring(0, offset).chars().filter(c -> c == '\n').count();
    }
}
