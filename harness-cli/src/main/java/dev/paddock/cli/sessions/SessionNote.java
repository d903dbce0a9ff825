package dev.paddock.cli.sessions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.executor.config.ModelAlias;
import dev.paddock.harness.StoredSession;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The note that {@code paddock agent} stores with a session, to continue it without its options. It contains no key,
 * and no setting that could send one elsewhere.
 *
 * @param worktree the directory that the session works in; empty if it is not known
 * @param workspace the id of the workspace that it works in; empty for a directory
 * @param model the model that has worked last; empty for a script
 * @param checkpoints the snapshots before its prompts, the latest first
 */
public record SessionNote(
        Optional<String> worktree,
        Optional<String> workspace,
        Optional<LastModel> model,
        List<Checkpoint> checkpoints) {
    /** The note of a session that has none. */
    public static final SessionNote NONE =
            new SessionNote(Optional.empty(), Optional.empty(), Optional.empty(), List.of());

    private static final ObjectMapper JSON = new ObjectMapper();

    public SessionNote {
        checkpoints = List.copyOf(checkpoints);
    }

    /**
     * A snapshot before a prompt.
     *
     * @param prompt the beginning of the prompt, for people
     * @param snapshot the snapshot's id
     */
    public record Checkpoint(String prompt, String snapshot) {}

    /**
     * The model that has worked last, without its address and the name of its key's variable. These could send the key
     * and the conversation elsewhere, so that only options and configuration set them.
     *
     * @param name the model, as its provider calls it
     * @param maxTokens the most tokens of one answer
     * @param isElsewhere whether it had an address or a key's variable of its own
     */
    public record LastModel(String provider, String name, OptionalInt maxTokens, boolean isElsewhere) {
        static LastModel of(ModelAlias model) {
            return new LastModel(
                    model.provider(),
                    model.model(),
                    model.maxTokens(),
                    model.baseUrl().isPresent() || model.keyEnv().isPresent());
        }
    }

    /** Returns the note with another model. */
    public SessionNote with(Optional<ModelAlias> other) {
        return new SessionNote(worktree, workspace, other.map(LastModel::of), checkpoints);
    }

    /** Returns the note with other checkpoints. */
    public SessionNote with(List<Checkpoint> others) {
        return new SessionNote(worktree, workspace, model, others);
    }

    /** Returns a session's note; {@link #NONE} if it has no readable one. */
    public static SessionNote of(StoredSession session) {
        try {
            return session.note().map(SessionNote::parse).orElse(NONE);
        } catch (UncheckedIOException unreadable) {
            return NONE;
        }
    }

    private static SessionNote parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            List<Checkpoint> checkpoints = new ArrayList<>();
            for (JsonNode one : node.path("checkpoints")) {
                checkpoints.add(new Checkpoint(
                        one.path("prompt").asText(), one.path("snapshot").asText()));
            }
            return new SessionNote(
                    text(node, "worktree"), text(node, "workspace"), model(node.path("model")), checkpoints);
        } catch (JsonProcessingException ofAnotherProgram) {
            return NONE;
        }
    }

    private static Optional<LastModel> model(JsonNode node) {
        Optional<String> provider = text(node, "provider");
        Optional<String> name = text(node, "name");
        if (provider.isEmpty() || name.isEmpty()) {
            return Optional.empty();
        }
        JsonNode most = node.path("maxTokens");
        return Optional.of(new LastModel(
                provider.get(),
                name.get(),
                most.isInt() && most.asInt() > 0 ? OptionalInt.of(most.asInt()) : OptionalInt.empty(),
                node.path("elsewhere").asBoolean() || node.has("baseUrl") || node.has("keyEnv")));
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field)).filter(JsonNode::isTextual).map(JsonNode::asText);
    }

    /** Returns the note as one line of JSON. */
    public String json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        worktree.ifPresent(path -> node.put("worktree", path));
        workspace.ifPresent(id -> node.put("workspace", id));
        model.ifPresent(one -> {
            ObjectNode shown = node.putObject("model").put("provider", one.provider());
            shown.put("name", one.name());
            if (one.isElsewhere()) {
                shown.put("elsewhere", true);
            }
            one.maxTokens().ifPresent(most -> shown.put("maxTokens", most));
        });
        if (!checkpoints.isEmpty()) {
            ArrayNode list = node.putArray("checkpoints");
            checkpoints.forEach(
                    one -> list.addObject().put("prompt", one.prompt()).put("snapshot", one.snapshot()));
        }
        return node.toString();
    }
}
