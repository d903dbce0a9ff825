package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.setup.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Records a change of a file, for its undo. Of the file it contains only the lines that the change has replaced.
 *
 * @param created whether the file did not exist
 * @param directories the directories that were created for it, the innermost first
 * @param digest the SHA-256 of the content that was written; empty if the hunks are not the whole change
 * @param hunks the differences from the previous content
 * @param parents the paths of the objects and lists that were created, the outermost first
 * @param done the settings that were changed
 */
record UndoRecord(
        boolean created,
        List<String> directories,
        String digest,
        List<Hunk> hunks,
        List<List<String>> parents,
        List<AppliedSetting> done) {

    ObjectNode toJson() {
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("created", created).put("digest", digest);
        directories.forEach(node.putArray("directories")::add);
        hunks.forEach(hunk -> node.withArrayProperty("hunks").add(hunk.toJson()));
        for (List<String> parent : parents) {
            ArrayNode names = node.withArrayProperty("parents").addArray();
            parent.forEach(names::add);
        }
        done.forEach(one -> node.withArrayProperty("done").add(one.toJson()));
        return node;
    }

    static UndoRecord read(JsonNode node) {
        return new UndoRecord(
                node.path("created").asBoolean(),
                Document.words(node.path("directories")),
                node.path("digest").asText(),
                items(node.path("hunks")).stream().map(Hunk::read).toList(),
                items(node.path("parents")).stream().map(Document::words).toList(),
                items(node.path("done")).stream().map(AppliedSetting::read).toList());
    }

    /**
     * Returns the record of two changes, this one after the other.
     *
     * @param settings the settings between the two
     */
    UndoRecord after(Optional<UndoRecord> other, JsonNode settings) {
        if (other.isEmpty() || created) {
            return this;
        }
        UndoRecord earlier = other.get();
        List<AppliedSetting> all = new ArrayList<>();
        done.forEach(one -> all.add(one.after(earlier.done, settings)));
        earlier.done.stream()
                .filter(one -> done.stream().noneMatch(now -> now.path().equals(one.path())))
                .forEach(all::add);
        List<List<String>> made = new ArrayList<>(earlier.parents);
        parents.stream().filter(parent -> !made.contains(parent)).forEach(made::add);
        return new UndoRecord(earlier.created, earlier.directories, "", List.of(), made, all);
    }

    private static List<JsonNode> items(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).toList();
    }
}
