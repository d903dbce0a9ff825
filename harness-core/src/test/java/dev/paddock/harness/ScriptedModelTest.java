package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.ScriptException;
import dev.paddock.harness.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedModelTest extends SessionTest {

    @Test
    void playsFileWithComments() throws IOException {
        Path file = Files.writeString(home.resolve("script.json"), """
                {
                  // One word is enough.
                  "turns": [{"text": "Done."}]
                }
                """);
        assertThat(open(builder(ScriptedModel.of(file))).prompt("Go").text()).isEqualTo("Done.");
    }

    @Test
    void unexpectedRequestFailsRunWithTurnsNumber() {
        AgentSession session = scripted("{'calls': [{'tool': 'bash', 'arguments': {'command': 'echo red'}}]},"
                + "{'expect': ['red', 'green'], 'text': 'Done.'}");
        RunOutcome outcome = session.prompt("Go");
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure().orElseThrow())
                .isInstanceOf(ScriptException.class)
                .hasMessageContaining("turn 2")
                .hasMessageContaining("'green'")
                .hasMessageContaining("red\n");
    }

    @Test
    void endOfScriptIsReported() {
        AgentSession session = scripted("{'text': 'Done.'}");
        session.prompt("Go");
        assertThat(session.prompt("More").failure().orElseThrow())
                .hasMessageContaining("turn 2")
                .hasMessageContaining("the script has 1 turn");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]                                                          | it is no object",
                "{}                                                          | no list 'turns'",
                "{\"turns\": [{}, {\"say\": 1}]}                             | turn 2: 'say' is not known",
                "{\"turns\": [{\"text\": 1}]}                                | turn 1: 'text' is no text",
                "{\"turns\": [{\"calls\": [{\"tool\": \"x\"}]}]}             | turn 1, call 1: 'arguments' is no object",
                "{\"turns\": [{\"expect\": [1]}]}                            | turn 1: 'expect' is no text",
                "{\"turns\": [                                               | it is not JSON",
            })
    void aMalformedScriptIsRefusedWithThePlace(String json, String message) {
        assertThatThrownBy(() -> ScriptedModel.parse("x.json", json))
                .isInstanceOf(ScriptException.class)
                .hasMessageStartingWith("script x.json")
                .hasMessageContaining(message);
    }
}
