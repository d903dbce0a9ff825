package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.LoopTest.TestTool;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.ToolSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that models, tools and sources that return null are reported with their name and the
 * expected value.
 */
@NullUnmarked
@SuppressWarnings({"NullAway", "NullOptional"}) // as integrators' code that is compiled without it
class MissingValuesTest extends SessionTest {

    private void assertFailed(Model model, String... words) {
        RunOutcome outcome = open(builder(model)).prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure().orElseThrow())
                .isInstanceOf(ModelException.class)
                .message()
                .contains(words);
    }

    @Test
    void modelThatReturnsNoTurnFailsRun() {
        assertFailed((request, listener) -> null, getClass().getName(), "returned null", "AssistantTurn");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "toolCalls", "usage", "id", "name", "arguments", "delta"})
    void pieceOfTurnThatIsMissingIsNamed(String part) {
        ToolCall call = bash("1", "true");
        assertFailed(
                (request, listener) -> switch (part) {
                    case "text" -> AssistantTurn.saying(null);
                    case "toolCalls" -> AssistantTurn.of("", null, Optional.empty());
                    case "usage" -> AssistantTurn.of("", List.of(), null);
                    case "id" -> AssistantTurn.calling("", new ToolCall(null, "bash", call.arguments()));
                    case "name" -> AssistantTurn.calling("", new ToolCall("1", null, call.arguments()));
                    case "arguments" -> AssistantTurn.calling("", new ToolCall("1", "bash", null));
                    default -> {
                        listener.onText(null);
                        yield AssistantTurn.saying("");
                    }
                },
                part.equals("delta") ? "onText" : part,
                "null",
                "give");
    }

    @Test
    void toolThatReturnsNoResultIsErrorForModel() {
        AgentSession session = open(builder(
                        script(
                                "{'calls': [{'tool': 'none', 'arguments': {}}, {'tool': 'silent', 'arguments': {}}]}, {'text': 'Done.'}"))
                .tools(List.of(
                        new TestTool("none", (call, context) -> null),
                        new TestTool("silent", (call, context) -> ToolResult.ok(null)))));
        assertThat(session.prompt("Go").completed()).isTrue();
        assertThat(results(session)).allMatch(Message.ToolOutcome::isError);
        assertThat(results(session).getFirst().text()).contains("The tool none returned null instead of a result");
        assertThat(results(session).getLast().text()).contains("The tool silent returned a result without text");
    }

    /** Returns null from one method. */
    private record NullSource(String method) implements ToolSource, ToolSource.Opened {
        @Override
        public String name() {
            return "forgetful";
        }

        @Override
        public Opened open(Place place) {
            return method.equals("open") ? null : this;
        }

        @Override
        public List<Tool> tools() {
            return method.equals("tools") ? null : List.of();
        }

        @Override
        public String prompt() {
            return method.equals("prompt") ? null : "";
        }

        @Override
        public List<String> problems() {
            return method.equals("problems") ? null : List.of();
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "tools", "prompt", "problems"})
    void sourceThatReturnsNullKeepsSessionFromBeingBuilt(String method) {
        assertThatThrownBy(() ->
                        builder(Model.none()).toolSource(new NullSource(method)).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'forgetful'")
                .hasMessageContaining("NullSource." + method + " returned null");
    }
}
