package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which models look at images of results. */
class ImagesTest extends SessionTest {
    private static final ToolResult.Image IMAGE = new ToolResult.Image("image/png", "iVBORw0KGgo=");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void modelGetsImagesThatItTakes(boolean takes) {
        AgentSession session = open(builder(new LookingModel(takes))
                .tools(List.of(new LoopTest.TestTool(
                        "look", (call, context) -> ToolResult.ok("[a dot]").withImage(IMAGE)))));
        session.prompt("Look.");
        Message.ToolOutcome outcome = session.messages().stream()
                .filter(Message.ToolResults.class::isInstance)
                .map(Message.ToolResults.class::cast)
                .findFirst()
                .orElseThrow()
                .results()
                .getFirst();
        if (takes) {
            assertThat(outcome.text()).isEqualTo("[a dot]");
            assertThat(outcome.images()).containsExactly(IMAGE);
        } else {
            assertThat(outcome.text()).contains("it does not see this one");
            assertThat(outcome.images()).isEmpty();
        }
    }

    /** Calls the tool in its first turn. */
    private record LookingModel(boolean takesImages) implements Model {
        @Override
        public AssistantTurn respond(ModelRequest request, ModelListener listener) {
            return request.messages().size() == 1
                    ? AssistantTurn.calling("", new ToolCall("1", "look", Json.object()))
                    : AssistantTurn.saying("Seen.");
        }
    }
}
