package dev.paddock.harness.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the conversion of messages to lines of JSON. */
class MessageJsonTest {

    @Test
    void everyKindOfMessageIsReadAsItWasWritten() throws IOException {
        List<Message> all = List.of(
                new Message.User("two\nlines \u2028 and a \0"),
                new Message.Assistant("", List.of(call("c1", "echo \"quoted\""), call("c2", ""))),
                new Message.ToolResults(List.of(
                        Message.ToolOutcome.of("c1", "bash", "\uD83D\uDE00", true),
                        Message.ToolOutcome.of(
                                "c2", "read", "", false, List.of(new ToolResult.Image("image/png", "iVBO"))))));
        for (Message message : all) {
            String line = MessageJson.write(message);
            assertThat(line).doesNotContain("\n");
            assertThat(MessageJson.read(line)).isEqualTo(message);
        }
    }

    @Test
    void argumentsWithNumberThatNoDoubleHoldsAreMalformed() {
        String line = MessageJson.write(new Message.Assistant("", List.of(call("c1", "true"))));
        assertThatThrownBy(() -> MessageJson.read(line.replace("\"true\"", "1e400")))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("the arguments of a tool call: JSON has no number Infinity");
    }

    private static ToolCall call(String id, String command) {
        return new ToolCall(id, "bash", Json.object().with("command", command));
    }
}
