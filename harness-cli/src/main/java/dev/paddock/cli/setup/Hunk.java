package dev.paddock.cli.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import dev.paddock.cli.setup.document.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines that a change has replaced by others.
 *
 * @param line how many lines of the new text are before them
 * @param removed the removed lines, with their ends
 * @param inserted how many lines have replaced them
 */
record Hunk(int line, List<String> removed, int inserted) {
    private static final int CONTEXT = 3;

    /** Returns the differences between two texts. */
    static List<Hunk> between(String before, String after) {
        List<Hunk> hunks = new ArrayList<>();
        for (AbstractDelta<String> delta :
                DiffUtils.diff(lines(before), lines(after)).getDeltas()) {
            hunks.add(new Hunk(
                    delta.getTarget().getPosition(),
                    List.copyOf(delta.getSource().getLines()),
                    delta.getTarget().size()));
        }
        return hunks;
    }

    /** Returns the text from before the change. */
    static String revert(List<Hunk> hunks, String after) {
        List<String> lines = new ArrayList<>(lines(after));
        for (Hunk hunk : hunks.reversed()) {
            List<String> place = lines.subList(hunk.line, hunk.line + hunk.inserted);
            place.clear();
            place.addAll(hunk.removed);
        }
        return String.join("", lines);
    }

    /** Returns two texts as a unified diff, in lines. */
    static List<String> unified(String nameBefore, String nameAfter, String before, String after) {
        List<String> old = before.lines().toList();
        List<String> diff = UnifiedDiffUtils.generateUnifiedDiff(
                nameBefore, nameAfter, old, DiffUtils.diff(old, after.lines().toList()), CONTEXT);
        // For a file without lines the library starts at line 1, the format at 0.
        return diff.stream()
                .map(line -> line.startsWith("@@ ") ? line.replaceFirst("([-+])1,0 ", "$10,0 ") : line)
                .toList();
    }

    ObjectNode toJson() {
        ObjectNode node =
                JsonNodeFactory.instance.objectNode().put("line", line).put("inserted", inserted);
        removed.forEach(node.putArray("removed")::add);
        return node;
    }

    static Hunk read(JsonNode node) {
        return new Hunk(
                node.path("line").asInt(),
                Document.words(node.path("removed")),
                node.path("inserted").asInt());
    }

    private static List<String> lines(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("(?<=\n)", -1));
    }
}
