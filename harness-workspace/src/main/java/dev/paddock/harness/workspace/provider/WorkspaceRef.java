package dev.paddock.harness.workspace.provider;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.workspace.support.StrictJson;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Identifies a workspace. A program may store it as JSON anywhere; a provider verifies its content and trusts nothing
 * in it.
 *
 * <p>As JSON: {@code {"kind":"docker","schemaVersion":1,"capabilities":["files","shell"], "payload":{…}}}, with exactly
 * these fields.
 *
 * @param kind the provider's kind
 * @param schemaVersion the version of the payload's form, 1 or more. A provider refuses an unknown version
 * @param capabilities the permitted uses; a provider refuses more than the workspace was opened with
 * @param payload the provider's own values
 * @since 0.1
 */
public record WorkspaceRef(String kind, int schemaVersion, Set<Capability> capabilities, Map<String, String> payload) {
    private static final Set<String> FIELDS = Set.of("kind", "schemaVersion", "capabilities", "payload");
    private static final Pattern KIND = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    /**
     * Creates a reference.
     *
     * @throws IllegalArgumentException if the kind is not one, or the version is less than 1
     */
    public WorkspaceRef {
        if (!KIND.matcher(kind).matches()) {
            throw new IllegalArgumentException("a workspace's kind is letters, digits and '-', not '" + kind + "'");
        }
        if (schemaVersion < 1) {
            throw new IllegalArgumentException("a reference's schemaVersion is at least 1, not " + schemaVersion);
        }
        capabilities = Set.copyOf(capabilities);
        payload = Map.copyOf(payload);
    }

    /**
     * Parses a reference.
     *
     * @param json what {@link #toJson()} returned
     * @return the reference
     * @throws WorkspaceFailedException if the text is not JSON, or a field is missing, unknown, repeated or of another
     *     type
     */
    public static WorkspaceRef parse(String json) {
        try {
            StrictJson read = StrictJson.parse(json, "the reference", FIELDS);
            List<Capability> capabilities = read.list("capabilities", Capability::parse);
            Set<Capability> set = EnumSet.noneOf(Capability.class);
            if (!set.addAll(capabilities) || set.size() < capabilities.size()) {
                throw new IllegalArgumentException("'capabilities' is empty or has a duplicate");
            }
            return new WorkspaceRef(read.text("kind"), read.number("schemaVersion"), set, read.texts("payload"));
        } catch (IllegalArgumentException malformed) {
            throw new WorkspaceFailedException(
                    "this is no reference to a workspace: " + malformed.getMessage()
                            + "; pass the whole text that the workspace's ref().toJson() returned",
                    false,
                    malformed);
        }
    }

    /** Returns whether another reference names the same workspace, whatever capabilities it uses. */
    boolean isSameWorkspace(WorkspaceRef other) {
        return kind.equals(other.kind) && payload.equals(other.payload);
    }

    /** {@return the reference as JSON on one line, which {@link #parse} takes} */
    public String toJson() {
        ObjectNode node = StrictJson.object().put("kind", kind).put("schemaVersion", schemaVersion);
        ArrayNode words = node.putArray("capabilities");
        capabilities.stream().sorted().forEach(capability -> words.add(capability.word()));
        ObjectNode values = node.putObject("payload");
        new TreeMap<>(payload).forEach(values::put);
        return node.toString();
    }
}
