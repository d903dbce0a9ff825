package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.skills.FileSystemSkill;
import dev.langchain4j.skills.FileSystemSkillLoader;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.fixtures.SandboxTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests skills that LangChain4j loads, in its loop, with a model that plays a script. */
class SandboxedSkillsTest {
    @TempDir
    private Path worktree;

    interface Assistant {
        String chat(String text);
    }

    /** A model that gives one answer after the other, and keeps the requests. */
    private static final class Script implements ChatModel {
        private final Deque<AiMessage> answers = new ArrayDeque<>();
        private final List<ChatRequest> requests = new ArrayList<>();

        Script running(String arguments) {
            answers.add(AiMessage.from(request(arguments)));
            return this;
        }

        Script saying(String text) {
            answers.add(AiMessage.from(text));
            return this;
        }

        @Override
        public ChatResponse doChat(ChatRequest request) {
            requests.add(request);
            return ChatResponse.builder().aiMessage(answers.remove()).build();
        }

        /** Returns the result that a request ends with. */
        String result(int request) {
            return requests.get(request).messages().getLast() instanceof ToolExecutionResultMessage result
                    ? result.text()
                    : "no result";
        }
    }

    private static ToolExecutionRequest request(String arguments) {
        return ToolExecutionRequest.builder()
                .id("call")
                .name("run_shell_command")
                .arguments(arguments)
                .build();
    }

    private static ToolExecutionResult call(SandboxedSkills skills, String arguments) {
        InvocationContext context = InvocationContext.builder().build();
        ToolExecutor shell = skills.toolProvider()
                .provideTools(new ToolProviderRequest(context, UserMessage.from("do it")))
                .aiServiceTools()
                .getFirst()
                .toolExecutor();
        return shell.executeWithContext(request(arguments), context);
    }

    private static String running(String command) {
        return "{\"command\": \"" + command.replace("\"", "\\\"") + "\"}";
    }

    @BeforeEach
    void makeSkill() throws Exception {
        Path skill = Files.createDirectories(worktree.resolve("skills/sums"));
        Files.writeString(
                skill.resolve("SKILL.md"),
                "---\nname: sums\ndescription: Adds <numbers>\n---\nRun sum.sh beside this file.\n");
        Files.writeString(skill.resolve("sum.sh"), "echo $(($1 + $2))\n");
    }

    private List<FileSystemSkill> loaded() {
        return FileSystemSkillLoader.loadSkills(worktree.resolve("skills"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    @Tag("full")
    void runsScriptsOfSkills(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            SandboxedSkills skills = SandboxedSkills.of(trial.executor(), loaded());
            String location = (backend.equals("landlock") ? worktree : Path.of("/work")) + "/skills/sums/";
            assertThat(skills.formatAvailableSkills())
                    .contains("<name>sums</name>", "Adds &lt;numbers&gt;", location + "SKILL.md");
            Script model = new Script()
                    .running(running("cat " + location + "SKILL.md"))
                    .running(running("sh " + location + "sum.sh 40 2; env"))
                    .saying("42");
            Assistant assistant = AiServices.builder(Assistant.class)
                    .chatModel(model)
                    .systemMessage(skills.formatAvailableSkills())
                    .toolProvider(skills.toolProvider())
                    .build();
            assertThat(assistant.chat("What is 40 + 2?")).isEqualTo("42");
            assertThat(model.result(1)).contains("Run sum.sh");
            assertThat(model.result(2)).startsWith("42\n").doesNotContain(SandboxTrial.hostVariable());

            ToolExecutionResult late =
                    call(skills, running(SandboxTrial.stubborn()).replace("{", "{\"timeout_seconds\": 1, "));
            assertThat(late.isError()).isTrue();
            assertThat(late.resultText()).startsWith("started").contains("ended after 1 s");
            trial.awaitUp();
            trial.awaitDeath();
        }
    }

    @ParameterizedTest
    @CsvSource({"bwrap, false", "bwrap, true", "landlock, false"})
    void interruptedCallLeavesNoProcess(String backend, boolean isStubborn) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            SandboxedSkills skills = SandboxedSkills.of(trial.executor(), loaded());
            String command = isStubborn ? SandboxTrial.stubborn() : SandboxTrial.endless();
            CompletableFuture<ToolExecutionResult> result = new CompletableFuture<>();
            Thread caller = Thread.ofPlatform().start(() -> result.complete(call(skills, running(command))));
            trial.awaitUp();
            caller.interrupt();
            assertThat(result.get(20, TimeUnit.SECONDS).isError()).isTrue();
            trial.awaitDeath();
        }
    }

    @Test
    void callsAreCheckedAndBounded() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            SandboxedSkills skills = SandboxedSkills.of(trial.executor(), loaded());
            for (String timeout : List.of("0", "-1", "31536000", "1.5", "\"x\"", "99999999999999999999")) {
                ToolExecutionResult refused =
                        call(skills, "{\"command\": \"touch made\", \"timeout_seconds\": " + timeout + "}");
                assertThat(refused.isError()).isTrue();
                assertThat(refused.resultText()).contains("Nothing was run", timeout);
            }
            for (String arguments : List.of("", "[]", "{", "{\"command\": 1}", "{}")) {
                assertThat(call(skills, arguments).isError()).as(arguments).isTrue();
            }
            assertThat(worktree.resolve("made")).doesNotExist();

            ToolExecutionResult some = call(skills, "{\"command\": \"true\", \"timeout_seconds\": null}");
            assertThat(some.resultText()).isEqualTo("(no output)");
            assertThat(some.isError()).isFalse();
            assertThat(call(skills, running("echo out; echo err >&2; exit 3")).resultText())
                    .isEqualTo("out\nerr\nExit code: 3");
            assertThat(call(skills, running("head -c 5000000 /dev/zero; echo last"))
                            .resultText())
                    .hasSizeLessThan(1 << 17)
                    .contains("bytes left out")
                    .endsWith("last\n");
        }
    }

    @Test
    void skillThatCommandsCannotReadIsRefused(@TempDir Path elsewhere) throws Exception {
        Path skill = Files.createDirectories(elsewhere.resolve("far"));
        Files.writeString(skill.resolve("SKILL.md"), "---\nname: far\ndescription: far\n---\nfar\n");
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            assertThatThrownBy(() -> SandboxedSkills.of(trial.executor(), FileSystemSkillLoader.loadSkills(elsewhere)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(skill.resolve("SKILL.md").toString());
        }
    }

    @Test
    void lookAtSkillsHasTimeout() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            List<Optional<Duration>> timeouts = new ArrayList<>();
            CommandExecutor watched = new ForwardingExecutor(trial.executor()) {
                @Override
                public CommandResult run(String command, RunOptions options) throws InterruptedException {
                    timeouts.add(options.timeout());
                    return super.run(command, options);
                }
            };
            assertThat(SandboxedSkills.of(watched, loaded()).formatAvailableSkills())
                    .contains("sums");
            assertThat(timeouts).containsExactly(Optional.of(Duration.ofSeconds(30)));
        }
    }
}
