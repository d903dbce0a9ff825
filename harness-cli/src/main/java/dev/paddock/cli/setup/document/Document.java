package dev.paddock.cli.setup.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The parsed text of a settings file. Each change returns a new document whose text differs only at the change;
 * comments, order and line ends stay.
 */
public sealed interface Document permits JsonDocument, TomlDocument {

    /**
     * Parses a file of JSON.
     *
     * @param name the file, for messages
     * @param allowsComments whether the file's program accepts comments and commas at the end
     * @throws SettingsRefusedException if the text is not valid
     */
    static Document json(String name, String text, boolean allowsComments) {
        return JsonDocument.parse(name, text, allowsComments);
    }

    /**
     * Parses a file of TOML.
     *
     * @param name the file, for messages
     * @throws SettingsRefusedException if the text is not valid
     */
    static Document toml(String name, String text) {
        return TomlDocument.parse(name, text);
    }

    /** Returns the text. */
    String text();

    /** Returns the settings in it, as an object. */
    JsonNode settings();

    /**
     * Sets a value, and creates missing objects above it.
     *
     * @throws SettingsRefusedException if the text has a form that cannot be changed in place
     */
    Document put(List<String> path, JsonNode value);

    /** Appends words to a list, which is created if it does not exist. */
    Document append(List<String> path, List<String> words);

    /** Removes words from a list. */
    Document removeWords(List<String> path, List<String> words);

    /** Removes a value; does nothing if there is none. */
    Document remove(List<String> path);

    /** Returns the text of a value. */
    Optional<String> raw(List<String> path);

    /** Replaces an existing value by a text that {@link #raw} has returned. */
    Document restore(List<String> path, String raw);

    /** Returns the texts in a list. */
    static List<String> words(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

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
