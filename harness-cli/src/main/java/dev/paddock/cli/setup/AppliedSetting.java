package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.setup.document.Document;
import dev.paddock.cli.setup.document.SettingsRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One setting that setup has changed.
 *
 * @param path the names that lead to it
 * @param written the value that setup has written; of a list, the words that it has added
 * @param isWords whether the setting is a list to which setup has added words
 * @param before the text of the previous value, which lists do not have
 */
record AppliedSetting(List<String> path, JsonNode written, boolean isWords, Optional<String> before) {

    /** Returns this change for setup's record. */
    ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        path.forEach(node.putArray("path")::add);
        node.set("written", written);
        node.put("words", isWords);
        before.ifPresent(text -> node.put("before", text));
        return node;
    }

    static AppliedSetting read(JsonNode node) {
        Optional<String> before =
                node.has("before") ? Optional.of(node.path("before").asText()) : Optional.empty();
        return new AppliedSetting(
                Document.words(node.path("path")),
                node.path("written"),
                node.path("words").asBoolean(),
                before);
    }

    /** Applies this change to other settings. */
    JsonNode applyTo(JsonNode settings) {
        ObjectNode changed = settings.deepCopy();
        ObjectNode container = changed;
        for (String step : path.subList(0, path.size() - 1)) {
            container = container.withObjectProperty(step);
        }
        if (isWords) {
            ArrayNode list = container.withArrayProperty(path.getLast());
            list.addAll((ArrayNode) written);
        } else {
            container.set(path.getLast(), written);
        }
        return changed;
    }

    /** Undoes this change. */
    Document undo(Document document, String name) {
        JsonNode present = ClientSetting.at(document.settings(), path);
        if (present.isMissingNode()) {
            return document;
        }
        if (isWords) {
            return document.removeWords(path, Document.words(written));
        }
        if (!present.equals(written)) {
            throw new SettingsRefusedException(name + ": '" + String.join(".", path)
                    + "' has been changed since setup, and stays; change or remove it by hand");
        }
        return before.map(text -> document.restore(path, text)).orElseGet(() -> document.remove(path));
    }

    /** Returns this change, with the original value if an earlier change of the setting replaced it. */
    AppliedSetting after(List<AppliedSetting> earlier, JsonNode settings) {
        return earlier.stream()
                .filter(one -> one.path.equals(path))
                .findFirst()
                .filter(one -> isWords || one.written.equals(ClientSetting.at(settings, path)))
                .map(one -> isWords ? withWords(one) : new AppliedSetting(path, written, false, one.before))
                .orElse(this);
    }

    private AppliedSetting withWords(AppliedSetting earlier) {
        List<String> words = new ArrayList<>(Document.words(earlier.written));
        Document.words(written).stream().filter(word -> !words.contains(word)).forEach(words::add);
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        words.forEach(all::add);
        return new AppliedSetting(path, all, true, Optional.empty());
    }
}
