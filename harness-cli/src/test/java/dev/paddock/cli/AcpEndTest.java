package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SIGTERM ends {@code paddock acp} with its commands, and the editor has the answer to its prompt. */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AcpEndTest extends AgentCommandCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static void send(Writer to, int id, String method, Map<String, ?> params) throws IOException {
        to.write(
                JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)) + "\n");
        to.flush();
    }

    private static JsonNode answer(BufferedReader from, int id) throws IOException {
        while (true) {
            JsonNode message = JSON.readTree(String.valueOf(from.readLine()));
            assertThat(message.isObject()).as("%s", message).isTrue();
            if (!message.has("method") && message.path("id").asInt(-1) == id) {
                return message;
            }
        }
    }

    @Test
    void signalEndsCommandsAndAnswersPrompt() throws Exception {
        McpBackend.BWRAP.require();
        String seconds = "300." + (1_000_000 + new SecureRandom().nextInt(1_000_000));
        String script = script(bash("sleep " + seconds + " & sleep " + seconds), DONE);
        Process agent = cli().withSignals()
                .builder("acp", "--executor", "bwrap", "--script", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (Writer to = agent.outputWriter();
                BufferedReader from = agent.inputReader()) {
            send(to, 0, "initialize", Map.of("protocolVersion", 1));
            assertThat(answer(from, 0).has("result")).isTrue();
            send(to, 1, "session/new", Map.of("cwd", directory.toString(), "mcpServers", List.of()));
            String session = answer(from, 1).at("/result/sessionId").asText();
            send(to, 2, "session/set_mode", Map.of("sessionId", session, "modeId", "all"));
            Map<String, ?> text = Map.of("type", "text", "text", "Go");
            send(to, 3, "session/prompt", Map.of("sessionId", session, "prompt", List.of(text)));
            await("the command").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) > 1);
            boolean unused = agent.toHandle().destroy(); // SIGTERM; the streams stay open
            assertThat(answer(from, 3).at("/result/stopReason").asText()).isEqualTo("cancelled");
            assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(agent.exitValue()).isEqualTo(128 + 15);
            assertThat(Cli.processesWith(seconds)).isZero();
        } finally {
            agent.destroyForcibly();
        }
    }
}
