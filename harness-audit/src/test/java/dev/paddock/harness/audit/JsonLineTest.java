package dev.paddock.harness.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the lines with those of a JSON library. */
class JsonLineTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void everyCharacterIsReadAsItWasWritten() throws Exception {
        StringBuilder all = new StringBuilder();
        for (int character = 0; character < 0xd800; character++) {
            all.append((char) character);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("all", all.append("\ud83d\ude00").toString());
        fields.put("quote\"in\nname", true);
        fields.put("number", Long.MIN_VALUE);
        fields.put("list", List.of("a,b", "[", "{", ""));
        fields.put("nothing", List.of());
        fields.put("map", Map.of("{", "x"));
        String line = JsonLine.of(fields);
        assertThat(line.lines()).hasSize(1);
        assertThat(JSON.readValue(line, new TypeReference<Map<String, Object>>() {}))
                .isEqualTo(fields);
    }

    @Test
    void halvesOfPairsAreEscaped() throws Exception {
        String text = "a\ud83d b\ude00 \ud83d\ud83d\ude00";
        String line = JsonLine.of(Map.of("text", text));
        assertThat(line).contains("a\\ud83d b\\ude00 \\ud83d\ud83d\ude00");
        assertThat(JSON.readTree(line).path("text").asText()).isEqualTo(text);
    }

    @Test
    void timesHaveOneWidthAndAreReadAgain() {
        for (String time : List.of(
                "2026-03-04T05:06:07.000008Z",
                "1970-01-01T00:00:00.000000Z",
                "1969-12-31T23:59:59.999999Z",
                "0987-12-31T23:59:59.100000Z")) {
            AuditRecord record =
                    AuditRecord.builder("test", "1", Instant.parse(time)).build();
            assertThat(AuditRecord.format(record.time())).isEqualTo(time);
            assertThat(AuditRecord.parse(record.toJson()).time()).isEqualTo(Instant.parse(time));
        }
    }
}
