package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.approval.Approval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the tools in an application of LangChain4j, whose model is a server on this machine. */
class LangChain4jToolsTest {
    @TempDir
    private Path worktree;

    @TempDir
    private Path sessionDirectory;

    interface Assistant {
        String chat(String text);
    }

    private static String run(ChatModel model, Path worktree, CommandExecutor executor) {
        try (Toolbox toolbox =
                Toolbox.builder().cwd(worktree).executor(executor).build()) {
            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .toolProvider(LangChain4jTools.of(toolbox))
                    .build();
            return assistant.chat("Make the failing test pass.");
        }
    }

    private Toolbox toolbox() {
        return Toolbox.builder()
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(sessionDirectory)
                .build();
    }

    /** Returns an answer of OpenAI's protocol in one piece. */
    private static ProtocolServer.Answer answer(ObjectNode message, String finishReason) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("id", "chatcmpl-1")
                .put("object", "chat.completion")
                .put("created", 1)
                .put("model", "test-model");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0).put("finish_reason", finishReason);
        choice.set("message", message.put("role", "assistant"));
        return (request, reply) -> reply.status(200, "Content-Type: application/json\r\n", body.toString());
    }

    private static ProtocolServer.Answer calling(String tool, String arguments) {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        message.putArray("tool_calls")
                .addObject()
                .put("id", "call-" + tool)
                .put("type", "function")
                .putObject("function")
                .put("name", tool)
                .put("arguments", arguments);
        return answer(message, "tool_calls");
    }

    private static ProtocolServer.Answer saying(String text) {
        return answer(JsonNodeFactory.instance.objectNode().put("content", text), "stop");
    }

    @Test
    void applicationsModelRunsCommandAndReadsFile() throws Exception {
        try (ProtocolServer server = new ProtocolServer()) {
            server.then(calling("bash", "{\"command\": \"echo well > made; echo ran\"}"))
                    .then(calling("read", "{\"path\": \"made\"}"))
                    .then(saying("It passes."));
            ChatModel model = OpenAiChatModel.builder()
                    .baseUrl(server.url())
                    .apiKey("none")
                    .modelName("test-model")
                    .maxRetries(0)
                    .build();

            assertThat(run(model, worktree, HostExecutor.create())).isEqualTo("It passes.");
            assertThat(worktree.resolve("made")).hasContent("well\n");
            List<JsonNode> bodies =
                    server.requests().stream().map(ProtocolServer.Request::body).toList();
            assertThat(bodies).hasSize(3);
            assertThat(bodies.getFirst().path("tools"))
                    .map(tool -> tool.path("function").path("name").asText())
                    .contains("bash", "read", "edit");
            assertThat(last(bodies.get(1))).startsWith("ran\n");
            assertThat(last(bodies.get(2))).contains("well");
        }
    }

    private static String last(JsonNode body) {
        JsonNode messages = body.path("messages");
        return messages.path(messages.size() - 1).path("content").asText();
    }

    private static ToolExecutionResult call(Toolbox toolbox, String arguments) {
        return call(toolbox, "bash", arguments);
    }

    private static ToolExecutionResult call(Toolbox toolbox, String name, String arguments) {
        ToolExecutor executor = LangChain4jTools.of(toolbox)
                .provideTools(new ToolProviderRequest("memory", UserMessage.from("text")))
                .aiServiceTools()
                .stream()
                .filter(tool -> tool.toolSpecification().name().equals(name))
                .findFirst()
                .orElseThrow()
                .toolExecutor();
        ToolExecutionRequest request =
                ToolExecutionRequest.builder().name(name).arguments(arguments).build();
        return executor.executeWithContext(request, InvocationContext.builder().build());
    }

    @Test
    void resultWithImageSaysThatModelDoesNotSeeIt() throws IOException {
        Files.write(worktree.resolve("a.gif"), HexFormat.of().parseHex("47494638396101000100800000000000ffffff2c"));
        try (Toolbox toolbox = toolbox()) {
            assertThat(call(toolbox, "read", "{\"path\": \"a.gif\"}").resultText())
                    .contains("image/gif", "does not see this one");
        }
    }

    @Test
    void failedCallIsErrorResult() {
        try (Toolbox toolbox = toolbox()) {
            assertThat(call(toolbox, "{\"command\": \"exit 3\"}").isError()).isTrue();
            assertThat(call(toolbox, "{\"command\": \"exit 0\"}").isError()).isFalse();
            ToolExecutionResult refused = call(toolbox, "{\"command\": ");
            assertThat(refused.isError()).isTrue();
            assertThat(refused.resultText()).contains("not a JSON object");
        }
    }

    @Test
    void deniedCallIsErrorResultThatTellsModelReason() {
        try (Toolbox toolbox = Toolbox.builder()
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(sessionDirectory)
                .approver(request -> Approval.deny("not now"))
                .build()) {
            ToolExecutionResult denied = call(toolbox, "{\"command\": \"touch made\"}");
            assertThat(denied.isError()).isTrue();
            assertThat(denied.resultText()).startsWith("The call of bash was denied: not now.");
        }
        assertThat(worktree.resolve("made")).doesNotExist();
    }

    @Test
    void closedToolboxRunsNothing() {
        Toolbox toolbox = toolbox();
        toolbox.close();
        assertThatThrownBy(() -> call(toolbox, "{\"command\": \"touch made\"}"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(worktree.resolve("made")).doesNotExist();
    }
}
