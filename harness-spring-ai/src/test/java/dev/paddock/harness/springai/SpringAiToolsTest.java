package dev.paddock.harness.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.Toolbox;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.tools.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/** Tests the tools in Spring AI's own loop, with a model that plays a script. */
class SpringAiToolsTest {
    @TempDir
    private Path worktree;

    @TempDir
    private Path sessionDirectory;

    private static @Nullable String run(ChatModel model, Path worktree, CommandExecutor executor) {
        try (Toolbox toolbox =
                Toolbox.builder().cwd(worktree).executor(executor).build()) {
            return ChatClient.create(model)
                    .prompt("Make the failing test pass.")
                    .tools(SpringAiTools.of(toolbox))
                    .call()
                    .content();
        }
    }

    /** A model that gives one answer after the other, and keeps the requests. */
    private static final class Script implements ChatModel {
        private final Deque<AssistantMessage> answers = new ArrayDeque<>();
        private final List<Prompt> requests = new ArrayList<>();

        Script calling(String tool, String arguments) {
            answers.add(AssistantMessage.builder()
                    .content("")
                    .toolCalls(List.of(new AssistantMessage.ToolCall("call-" + tool, "function", tool, arguments)))
                    .build());
            return this;
        }

        Script saying(String text) {
            answers.add(new AssistantMessage(text));
            return this;
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            requests.add(prompt);
            return new ChatResponse(List.of(new Generation(answers.remove())));
        }

        @Override
        public ChatOptions getOptions() {
            return ToolCallingChatOptions.builder().build();
        }

        /** Returns the result that a request ends with. */
        String result(int request) {
            return requests.get(request).getInstructions().getLast() instanceof ToolResponseMessage message
                    ? message.getResponses().getLast().responseData()
                    : "no result";
        }

        List<String> offered() {
            return requests.getFirst().getOptions() instanceof ToolCallingChatOptions options
                    ? Objects.requireNonNullElse(options.getToolCallbacks(), List.<ToolCallback>of()).stream()
                            .map(callback -> callback.getToolDefinition().name())
                            .toList()
                    : List.of();
        }
    }

    private Toolbox toolbox() {
        return Toolbox.builder()
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(sessionDirectory)
                .build();
    }

    @Test
    void applicationsModelRunsCommandAndReadsFile() {
        Script model = new Script()
                .calling("bash", "{\"command\": \"echo well > made; echo ran\"}")
                .calling("read", "{\"path\": \"made\"}")
                .saying("It passes.");

        assertThat(run(model, worktree, HostExecutor.create())).isEqualTo("It passes.");
        assertThat(worktree.resolve("made")).hasContent("well\n");
        assertThat(model.offered()).contains("bash", "read", "edit");
        assertThat(model.result(1)).startsWith("ran\n");
        assertThat(model.result(2)).contains("well");
    }

    private static ToolCallback bash(Toolbox toolbox) {
        return tool(toolbox, "bash");
    }

    private static ToolCallback tool(Toolbox toolbox, String name) {
        return Stream.of(SpringAiTools.of(toolbox).getToolCallbacks())
                .filter(callback -> callback.getToolDefinition().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failedCallTellsModelReason() {
        try (Toolbox toolbox = toolbox()) {
            assertThat(bash(toolbox).call("{\"command\": \"exit 3\"}")).contains("3");
            assertThat(bash(toolbox).call("{\"command\": ")).contains("not a JSON object");
        }
    }

    @Test
    void resultWithImageSaysThatModelDoesNotSeeIt() throws IOException {
        Files.write(worktree.resolve("a.gif"), HexFormat.of().parseHex("47494638396101000100800000000000ffffff2c"));
        Files.writeString(worktree.resolve("a.txt"), "text");
        try (Toolbox toolbox = toolbox()) {
            assertThat(tool(toolbox, "read").call("{\"path\": \"a.gif\"}"))
                    .contains("image/gif", "does not see this one");
            assertThat(tool(toolbox, "read").call("{\"path\": \"a.txt\"}")).doesNotContain("see this one");
        }
    }

    @Test
    void eachToolHasItsDescriptionAndSchema() {
        try (Toolbox toolbox = toolbox()) {
            assertThat(Arrays.stream(SpringAiTools.of(toolbox).getToolCallbacks())
                            .map(ToolCallback::getToolDefinition)
                            .map(tool -> Map.entry(tool.name(), tool.description() + tool.inputSchema())))
                    .containsExactlyElementsOf(toolbox.tools().stream()
                            .map((Tool tool) -> Map.entry(tool.name(), tool.description() + tool.inputSchema()))
                            .toList());
        }
    }

    @Test
    void deniedCallTellsModelReason() {
        try (Toolbox toolbox = Toolbox.builder()
                .cwd(worktree)
                .executor(HostExecutor.create())
                .sessionDirectory(sessionDirectory)
                .approver(request -> Approval.deny("not now"))
                .build()) {
            assertThat(bash(toolbox).call("{\"command\": \"touch made\"}"))
                    .startsWith("The call of bash was denied: not now.");
        }
        assertThat(worktree.resolve("made")).doesNotExist();
    }

    @Test
    void closedToolboxRunsNothing() {
        Toolbox toolbox = toolbox();
        ToolCallback bash = bash(toolbox);
        toolbox.close();
        assertThatThrownBy(() -> bash.call("{\"command\": \"touch made\"}")).isInstanceOf(IllegalStateException.class);
        assertThat(worktree.resolve("made")).doesNotExist();
    }
}
