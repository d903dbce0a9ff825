package dev.paddock.harness.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.modelcontextprotocol.spec.McpSchema;
import org.junit.jupiter.api.Test;

/**
 * Tests that long answers are truncated between characters, also next to those of two UTF-16 units.
 */
class AnswerTest {
    @Test
    void answerTellsHowMuchIsLeftOut() {
        String text = "x".repeat(Answer.MAX_CHARACTERS - 1) + "🐾";
        McpSchema.CallToolResult result =
                McpSchema.CallToolResult.builder().addTextContent(text).build();
        assertThat(Answer.of(result).text())
                .startsWith("x".repeat(Answer.MAX_CHARACTERS - 1) + "\n\n(2 more characters are left out");
    }

    @Test
    void longFaultMessageIsCut() {
        assertThat(FaultMessages.text(new IllegalStateException("x".repeat(499) + "🐾")))
                .isEqualTo("x".repeat(499) + "…");
    }
}
