package dev.paddock.harness.koog;

import static org.assertj.core.api.Assertions.assertThat;

import ai.koog.agents.core.agent.AIAgent;
import ai.koog.agents.core.tools.ToolDescriptor;
import ai.koog.agents.core.tools.ToolRegistry;
import ai.koog.agents.ext.tool.shell.BraveModeConfirmationHandler;
import ai.koog.agents.ext.tool.shell.ExecuteShellCommandTool;
import ai.koog.prompt.dsl.ModerationResult;
import ai.koog.prompt.dsl.Prompt;
import ai.koog.prompt.executor.model.PromptExecutor;
import ai.koog.prompt.llm.LLMCapability;
import ai.koog.prompt.llm.LLMProvider;
import ai.koog.prompt.llm.LLModel;
import ai.koog.prompt.message.Message;
import ai.koog.prompt.message.ResponseMetaInfo;
import ai.koog.prompt.streaming.StreamFrame;
import dev.paddock.fixtures.SandboxTrial;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.flow.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the shell in Koog's own agent, with a model that plays a script. */
class KoogAgentTest {
    @TempDir
    private Path worktree;

    /** A model that gives one answer after the other, and keeps the prompts. */
    private static final class Script extends PromptExecutor {
        private final Deque<Message.Response> answers;
        private final List<Prompt> prompts = new ArrayList<>();

        Script(Message.Response... answers) {
            this.answers = new ArrayDeque<>(List.of(answers));
        }

        @Override
        public Object execute(
                Prompt prompt,
                LLModel model,
                List<? extends ToolDescriptor> tools,
                Continuation<? super List<? extends Message.Response>> completion) {
            prompts.add(prompt);
            return List.of(answers.remove());
        }

        @Override
        public Flow<StreamFrame> executeStreaming(Prompt prompt, LLModel model, List<? extends ToolDescriptor> tools) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Object moderate(Prompt prompt, LLModel model, Continuation<? super ModerationResult> completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    @Test
    void agentsCommandRunsInSandboxAndModelReadsItsOutput() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            ExecuteShellCommandTool tool =
                    new ExecuteShellCommandTool(KoogShell.of(trial.executor()), new BraveModeConfirmationHandler());
            ResponseMetaInfo info = ResponseMetaInfo.Companion.getEmpty();
            Script model = new Script(
                    new Message.Tool.Call(
                            "call-1",
                            tool.getName(),
                            "{\"command\": \"pwd; echo $((40 + 2)) | tee sum\", \"timeoutSeconds\": 60}",
                            info),
                    new Message.Assistant("It is 42.", info));
            AIAgent<String, String> agent = AIAgent.builder()
                    .promptExecutor(model)
                    .llmModel(new LLModel(LLMProvider.Ollama, "script", List.of(LLMCapability.Tools.INSTANCE)))
                    .toolRegistry(ToolRegistry.builder().tool(tool).build())
                    .build();
            assertThat(agent.run("What is 40 + 2?")).isEqualTo("It is 42.");
            assertThat(model.prompts.getLast().getMessages().getLast().getContent())
                    .contains("/work\n42");
            assertThat(worktree.resolve("sum")).hasContent("42");
        }
    }
}
