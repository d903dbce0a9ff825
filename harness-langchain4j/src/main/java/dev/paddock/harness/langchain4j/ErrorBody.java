package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A provider's error body, parsed. LangChain4j passes the body on unparsed, or drops it within a
 * stream.
 *
 * @param code the provider's error code, in lower case; empty if it has none
 * @param message the provider's message for people
 */
record ErrorBody(String code, String message) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Parses a body of any content: the common JSON forms, or text. */
    static ErrorBody parse(String body) {
        try {
            JsonNode root = JSON.readTree(body);
            if (root != null && root.isObject()) {
                JsonNode error = root.path("error").isObject() ? root.path("error") : root;
                return new ErrorBody(code(error), message(root, error, body));
            }
        } catch (JsonProcessingException noJson) {
            return new ErrorBody("", body);
        }
        return new ErrorBody("", body);
    }

    /** Returns the error in an event of a stream; empty if it is an ordinary event. */
    static Optional<ErrorBody> ofEvent(String data) {
        if (!data.contains("\"error\"")) {
            return Optional.empty();
        }
        try {
            JsonNode error = JSON.readTree(data).path("error");
            boolean isError =
                    error.isObject() || (error.isTextual() && !error.asText().isBlank());
            return isError ? Optional.of(parse(data)) : Optional.empty();
        } catch (JsonProcessingException garbage) {
            return Optional.empty();
        }
    }

    private static String code(JsonNode error) {
        return (error.path("type").asText("") + " " + error.path("code").asText(""))
                .strip()
                .toLowerCase(Locale.ROOT);
    }

    private static String message(JsonNode root, JsonNode error, String body) {
        for (JsonNode candidate :
                List.of(error.path("message"), root.path("error"), root.path("detail"), root.path("message"))) {
            if (candidate.isTextual() && !candidate.asText().isBlank()) {
                return candidate.asText();
            }
        }
        return body;
    }
}
