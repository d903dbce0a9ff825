package dev.paddock.harness.mcp.wire;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.text.JsonNodes;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON mappers of this module and of the SDK. */
public final class WireJson {
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

    private WireJson() {}

    public static Map<String, Object> map(Json json) {
        return JACKSON.convertValue(JsonNodes.object(json), new TypeReference<Map<String, Object>>() {});
    }

    public static Json object(@Nullable Map<String, Object> map) {
        return map == null ? Json.object() : JsonNodes.json(JACKSON.valueToTree(map));
    }

    public static String text(Object value) {
        return JACKSON.valueToTree(value).toString();
    }

    private static byte[] bytes(Object value) throws IOException {
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
