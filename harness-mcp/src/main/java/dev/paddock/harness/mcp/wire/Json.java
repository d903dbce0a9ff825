package dev.paddock.harness.mcp.wire;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON mappers of this module and of the SDK. */
public final class Json {
    private static final ObjectMapper JACKSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * The SDK's wrapper of the same mapper; passed to the SDK so that it does not search for one.
     */
    public static final McpJsonMapper MAPPER = new JacksonMcpJsonMapper(JACKSON);

    /** Accepts everything; for the SDK's validation where this module validates itself. */
    public static final JsonSchemaValidator ANYTHING =
            (schema, value) -> JsonSchemaValidator.ValidationResponse.asValid(String.valueOf(value));

    private Json() {}

    public static Map<String, Object> map(JsonNode node) {
        return JACKSON.convertValue(node, new TypeReference<Map<String, Object>>() {});
    }

    public static ObjectNode object(@Nullable Map<String, Object> map) {
        return map == null ? JACKSON.createObjectNode() : JACKSON.valueToTree(map);
    }

    public static String text(Object value) {
        return JACKSON.valueToTree(value).toString();
    }

    public static byte[] bytes(Object value) throws IOException {
        return JACKSON.writeValueAsBytes(value);
    }

    /** Returns a message with its line break, so that it takes a single write. */
    static byte[] line(Object message) throws IOException {
        byte[] bytes = bytes(message);
        byte[] line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }
}
