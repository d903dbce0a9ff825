package dev.paddock.harness.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads records from lines. Separate from {@link AuditRecord}, so that writers load no JSON library. */
final class RecordReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private RecordReader() {}

    static AuditRecord read(String line) {
        try {
            JsonNode json = JSON.readTree(line);
            AuditRecord.Builder builder = AuditRecord.builder(
                    text(json, "event"), text(json, "id"), TIME.parse(text(json, "time"), Instant::from));
            if (json.hasNonNull("session")) {
                builder.session(text(json, "session"));
            }
            for (Map.Entry<String, JsonNode> entry : json.path("caller").properties()) {
                builder.caller(entry.getKey(), entry.getValue().asText());
            }
            for (Map.Entry<String, JsonNode> entry : json.properties()) {
                if (!AuditRecord.OWN.contains(entry.getKey())) {
                    builder.put(entry.getKey(), value(entry.getValue()));
                }
            }
            return builder.build();
        } catch (JsonProcessingException | DateTimeParseException | IllegalArgumentException fault) {
            throw new AuditException(
                    AuditException.Kind.TAMPERED,
                    "a line of the audit trail is not an audit record; verify the store: " + fault.getMessage(),
                    fault);
        }
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = json.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("it lacks the text field '" + name + "'");
        }
        return value.asText();
    }

    private static Object value(JsonNode node) {
        if (node.isBoolean()) {
            return node.asBoolean();
        }
        if (node.isIntegralNumber()) {
            return node.asLong();
        }
        if (node.isArray()) {
            List<String> values = new ArrayList<>();
            node.forEach(element -> values.add(element.asText()));
            return List.copyOf(values);
        }
        return node.asText();
    }
}
