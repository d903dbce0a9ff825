package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Closes a session with many background shells, each of which is a sandbox of its own. */
@Tag("full")
class CloseOfManyShellsTest extends SessionTest {
    private static final int SHELLS = 300;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final ToolContext CONTEXT = new ToolContext() {
        @Override
        public AbortSignal signal() {
            return AbortSignal.never();
        }

        @Override
        public void update(String textSoFar) {
            throw new AssertionError("a call in the background sends no updates");
        }
    };

    @Test
    void allShellsInBubblewrapEndWithSession() {
        try (CommandExecutor executor = Backend.BWRAP.executor(worktree)) {
            AgentSession session =
                    open(builder(script("")).executor(executor).execCwd("/work").maxBackgroundShells(SHELLS));
            Tool bash = session.tools().stream()
                    .filter(tool -> tool.name().equals("bash"))
                    .findFirst()
                    .orElseThrow();
            String token = SharedExecutorTest.token();
            for (int number = 0; number < SHELLS; number++) {
                var arguments =
                        Json.object().with("command", "exec sleep " + token).with("run_in_background", true);
                ToolResult started = bash.execute(new ToolCall("call", "bash", arguments), CONTEXT);
                assertThat(started.isError()).as(started.text()).isFalse();
            }
            await("all shells run").atMost(PATIENCE).until(() -> live(token) == SHELLS);

            session.close(); // throws if one has not ended in its time

            await("no shell runs").atMost(PATIENCE).until(() -> live(token) == 0);
        }
    }

    private static long live(String token) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .filter(words -> words.length == 1 && words[0].equals(token))
                        .isPresent())
                .count();
    }
}
