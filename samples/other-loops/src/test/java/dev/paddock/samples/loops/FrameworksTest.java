package dev.paddock.samples.loops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.paddock.fixtures.SandboxTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the samples of the page about frameworks. */
class FrameworksTest {
    @TempDir
    private Path worktree;

    @Test
    void springAiSandboxRunsCommand() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            assertThat(SpringAiSandbox.run(trial.executor())).isEqualTo("1\n2\n3\n");
        }
    }

    @Test
    void langChain4jsModelRunsSkill() throws Exception {
        Path skill = Files.createDirectories(worktree.resolve("skills/sums"));
        Files.writeString(skill.resolve("SKILL.md"), "---\nname: sums\ndescription: Adds\n---\nAdd.\n");
        Deque<AiMessage> answers = new ArrayDeque<>(List.of(
                AiMessage.from(ToolExecutionRequest.builder()
                        .id("1")
                        .name("run_shell_command")
                        .arguments("{\"command\": \"cat skills/sums/SKILL.md > read\"}")
                        .build()),
                AiMessage.from("6")));
        ChatModel model = new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest request) {
                return ChatResponse.builder().aiMessage(answers.remove()).build();
            }
        };
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            assertThat(LangChain4jSkills.run(model, worktree.resolve("skills"), trial.executor()))
                    .isEqualTo("6");
        }
        assertThat(worktree.resolve("read")).content().contains("Add.");
    }

    /** Apart from the surrounding class, the page's lines are the samples', and at most ten. */
    @ParameterizedTest
    @CsvSource({"LangChain4jSkills, SandboxedSkills", "SpringAiSandbox, PaddockSandbox"})
    void pagesLinesAreSamples(String sample, String mark) throws IOException {
        String lines = words(Files.readString(Path.of("src/main/java/dev/paddock/samples/loops", sample + ".java")));
        List<String> examples = Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "..", "docs", "frameworks.md")))
                .results()
                .map(found -> found.group(1))
                .filter(example -> example.contains(mark))
                .toList();
        assertThat(examples).singleElement().satisfies(example -> {
            assertThat(lines).contains(words(example));
            assertThat(example.lines().count()).isLessThanOrEqualTo(10);
        });
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
