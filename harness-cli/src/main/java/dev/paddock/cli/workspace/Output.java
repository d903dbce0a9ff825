package dev.paddock.cli.workspace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.harness.workspace.Change;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Writes the results of the actions: as one line of JSON in ASCII, or as text for people, in which nothing steers the
 * terminal.
 */
final class Output {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final PrintStream out;
    private final boolean isJson;

    /**
     * Creates an output.
     *
     * @param out the standard output
     */
    Output(PrintStream out, boolean isJson) {
        this.out = out;
        this.isJson = isJson;
    }

    /** Writes a workspace that an action has created or found: for people, only its id. */
    void workspace(WorkspaceEntry entry) {
        write(json(entry), entry.id());
    }

    /** Writes what was done with a workspace or snapshot: nothing, for people. */
    void done(String what, String id) {
        if (isJson) {
            print(object().put(what, id));
        }
    }

    void workspaces(List<WorkspaceEntry> all) {
        list(
                all,
                Output::json,
                entry -> String.format(
                        Locale.ROOT,
                        "%s  %-13s  used %s ago  %s",
                        entry.id(),
                        entry.ref().kind(),
                        since(entry.used()),
                        Printable.text(entry.files().toString())));
    }

    void snapshot(SnapshotInfo info) {
        write(json(info), info.id());
    }

    void snapshots(List<SnapshotInfo> all) {
        list(
                all,
                Output::json,
                info -> String.format(
                        Locale.ROOT,
                        "%s  %s ago  %,d files  %,d bytes%s",
                        info.id(),
                        since(info.created()),
                        info.files(),
                        info.bytes(),
                        info.label().isEmpty() ? "" : "  " + Printable.text(info.label())));
    }

    void changes(List<Change> all) {
        list(
                all,
                Output::json,
                change -> String.format(
                        Locale.ROOT,
                        "%-8s  %s",
                        change.kind().name().toLowerCase(Locale.ROOT),
                        Printable.text(change.path().toString())));
    }

    /** Writes ids, each on a line. */
    void ids(List<String> ids) {
        list(ids, JsonNodeFactory.instance::textNode, id -> id);
    }

    private static String since(Instant then) {
        Duration past = Duration.between(then, Instant.now());
        if (past.toDays() > 0) {
            return past.toDays() + " d";
        }
        if (past.toHours() > 0) {
            return past.toHours() + " h";
        }
        return past.toMinutes() > 0 ? past.toMinutes() + " min" : Math.max(0, past.toSeconds()) + " s";
    }

    private <T> void list(List<T> all, Function<T, JsonNode> json, Function<T, String> line) {
        if (isJson) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            all.forEach(one -> array.add(json.apply(one)));
            print(array);
        } else {
            all.forEach(one -> out.println(line.apply(one)));
        }
    }

    private void write(JsonNode node, String line) {
        if (isJson) {
            print(node);
        } else {
            out.println(line);
        }
    }

    private void print(JsonNode node) {
        try {
            out.println(JSON.writeValueAsString(node));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static JsonNode json(WorkspaceEntry entry) {
        ObjectNode node = object().put("id", entry.id())
                .put("kind", entry.ref().kind())
                .put("files", entry.files().toString())
                .put("created", entry.created().toString())
                .put("used", entry.used().toString());
        entry.ref().capabilities().stream()
                .sorted()
                .forEach(capability -> node.withArray("capabilities").add(capability.word()));
        return node.put("reference", entry.ref().toJson());
    }

    private static JsonNode json(SnapshotInfo info) {
        ObjectNode node = object().put("id", info.id())
                .put("label", info.label())
                .put("created", info.created().toString())
                .put("files", info.files())
                .put("bytes", info.bytes());
        ArrayNode omissions = node.putArray("omissions");
        info.omissions()
                .forEach(omission -> omissions
                        .addObject()
                        .put("path", omission.path().toString())
                        .put("reason", omission.reason()));
        return node;
    }

    private static JsonNode json(Change change) {
        return object().put("change", change.kind().name().toLowerCase(Locale.ROOT))
                .put("path", change.path().toString());
    }
}
