package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.cli.setup.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A setting of a client that {@code paddock setup} requires in a file. */
sealed interface ClientSetting {

    /** Returns the names that lead from the root of the file to the setting. */
    List<String> path();

    /** Returns whether settings need no change. */
    boolean isMetBy(JsonNode settings);

    /**
     * A value that replaces any other one.
     *
     * @param path the names that lead to it
     * @param value the value
     */
    record Value(List<String> path, JsonNode value) implements ClientSetting {

        /**
         * {@inheritDoc} A server's entry may have further arguments and settings, which the user
         * has added.
         */
        @Override
        public boolean isMetBy(JsonNode settings) {
            JsonNode present = at(settings, path);
            return value.isObject() ? isServer(present) : present.equals(value);
        }

        private boolean isServer(JsonNode present) {
            boolean complete = value.properties().stream().allMatch(field -> present.has(field.getKey()));
            return complete
                    && present.path("command").equals(value.path("command"))
                    && startsWith(present.path("args"), value.path("args"));
        }

        private static boolean startsWith(JsonNode list, JsonNode start) {
            for (int i = 0; i < start.size(); i++) {
                if (!list.path(i).equals(start.get(i))) {
                    return false;
                }
            }
            return list.isArray();
        }
    }

    /**
     * Words that a list has to contain.
     *
     * @param path the names that lead to the list
     * @param words the words
     */
    record Words(List<String> path, List<String> words) implements ClientSetting {

        @Override
        public boolean isMetBy(JsonNode settings) {
            return missing(settings).isEmpty();
        }

        /** Returns the words that the list lacks. */
        List<String> missing(JsonNode settings) {
            List<String> present = Document.words(at(settings, path));
            return words.stream().filter(word -> !present.contains(word)).toList();
        }
    }

    /** Returns the node at a path, possibly a missing node. */
    static JsonNode at(JsonNode settings, List<String> path) {
        JsonNode node = settings;
        for (String name : path) {
            node = node.path(name);
        }
        return node;
    }

    /** Returns the missing paths above this one, the outermost first. */
    static List<List<String>> missingAbove(JsonNode settings, List<String> path) {
        List<List<String>> missing = new ArrayList<>();
        for (int i = 1; i < path.size(); i++) {
            List<String> above = List.copyOf(path.subList(0, i));
            if (at(settings, above).isMissingNode()) {
                missing.add(above);
            }
        }
        return missing;
    }

    /** Returns the innermost path above this one whose value is no object, so that nothing can be below. */
    static Optional<List<String>> obstacle(JsonNode settings, List<String> path) {
        for (int i = 1; i < path.size(); i++) {
            List<String> above = List.copyOf(path.subList(0, i));
            JsonNode node = at(settings, above);
            if (!node.isMissingNode() && !node.isObject()) {
                return Optional.of(above);
            }
        }
        return Optional.empty();
    }
}
