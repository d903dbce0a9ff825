package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.ToolSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests sessions that share an executor, on every backend. */
class BorrowedExecutorTest extends BackendTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<CommandExecutor> shared = new ArrayList<>();

    /** Returns the one executor of a test. */
    @Override
    CommandExecutor executor() {
        if (shared.isEmpty()) {
            shared.add(super.executor());
        }
        return shared.getFirst();
    }

    private AgentSessionBuilder borrowing(String name, String turns) {
        return builder(script(turns)).executor(executor(), Ownership.BORROWED).sessionDirectory(home.resolve(name));
    }

    private static ToolResult bash(AgentSession session, String command, boolean background) {
        Json arguments = Json.object().with("command", command).with("run_in_background", background);
        return session.call(new ToolCall("call", "bash", arguments), AbortSignal.never(), text -> {});
    }

    private static boolean runs(String token) {
        return SharedExecutorTest.runs(token);
    }

    @Test
    void closingSessionEndsItsShellsAndLeavesOthers() {
        String one = SharedExecutorTest.token();
        String two = SharedExecutorTest.token();
        AgentSession first = open(borrowing("first", ""));
        AgentSession second = open(borrowing("second", ""));
        assertThat(bash(first, "exec sleep " + one, true).isError()).isFalse();
        assertThat(bash(second, "exec sleep " + two, true).isError()).isFalse();
        await("both shells run").atMost(PATIENCE).until(() -> runs(one) && runs(two));
        first.close();
        await("the closed session's shell has ended").atMost(PATIENCE).until(() -> !runs(one));
        assertThat(runs(two)).as("the other session's shell runs").isTrue();
        assertThat(executor().isDisposed()).isFalse();
        assertThat(bash(second, "echo on", false).text()).startsWith("on\n");
        second.close();
        await("every shell has ended").atMost(PATIENCE).until(() -> !runs(two));
        assertThat(executor().isDisposed()).isFalse();
    }

    @Test
    void closingSessionEndsWhatItsToolsHaveStarted() {
        String token = SharedExecutorTest.token();
        AgentSession session = open(borrowing("first", "").toolSource(new ToolSource() {
            @Override
            public String name() {
                return "server";
            }

            @Override
            public Opened open(Place place) {
                ProcessLike process = place.executor()
                        .spawn(
                                "exec sleep " + token,
                                SpawnOptions.in(place.worktree().commandPath()));
                return new StandInSource("server", List.of(), "pid " + process.pid(), text -> {}).open(place);
            }
        }));
        await("the tool's process runs").atMost(PATIENCE).until(() -> runs(token));
        session.close();
        assertThat(runs(token)).as("the tool's process runs").isFalse();
        assertThat(executor().isDisposed()).isFalse();
    }

    /** One that cannot say that it is disposed of, and refuses commands all the same. */
    @Test
    void executorThatRefusesAsDisposedFailsRun() {
        CommandExecutor refusing = (command, options) -> {
            throw new ExecutorDisposedException("refusing");
        };
        AgentSession session = open(
                builder(script("{'calls': [{'tool': 'bash', 'arguments': {'command': 'true'}}]}, {'text': 'Done.'}"))
                        .executor(refusing, Ownership.BORROWED));
        assertDisposed(session.prompt("Go"));
    }

    @Test
    void disposalDuringCommandFailsRun() throws Exception {
        AgentSession session = open(borrowing(
                "first",
                "{'calls': [{'tool': 'bash', 'arguments': {'command': 'echo begun; exec sleep 300'}}]},"
                        + " {'text': 'Done.'}"));
        CompletableFuture<RunOutcome> run = CompletableFuture.supplyAsync(() -> session.prompt("Go"));
        await("the command has written \"begun\"")
                .atMost(PATIENCE)
                .until(() -> events(SessionEvent.ToolUpdated.class).stream()
                        .anyMatch(update -> update.textSoFar().contains("begun")));
        executor().dispose();
        assertDisposed(run.get(30, TimeUnit.SECONDS));
    }

    @Test
    void disposalBeforeCommandFailsRun() {
        AgentSession session = open(borrowing(
                "first", "{'calls': [{'tool': 'bash', 'arguments': {'command': 'true'}}]}, {'text': 'Done.'}"));
        executor().dispose();
        assertDisposed(session.prompt("Go"));
        assertThat(results(session))
                .allSatisfy(result -> assertThat(result.isError()).isTrue());
        assertThat(bash(session, "true", false).text()).contains("was not run", "has been disposed of");
        assertThat(bash(session, "true", true).text()).contains("was not run", "has been disposed of");
    }

    private static void assertDisposed(RunOutcome outcome) {
        assertThat(outcome.end()).isEqualTo(RunOutcome.End.FAILED);
        assertThat(outcome.failure()).containsInstanceOf(ExecutorDisposedException.class);
    }

    @Test
    void toolboxBorrows() {
        for (int i = 0; i < 2; i++) {
            try (Toolbox toolbox = Toolbox.builder()
                    .cwd(worktree)
                    .execCwd(backend.mapping(worktree).commandPath())
                    .executor(executor(), Ownership.BORROWED)
                    .sessionDirectory(home.resolve("toolbox-" + i))
                    .build()) {
                assertThat(toolbox.call("bash", "{\"command\": \"echo on\"}", AbortSignal.never())
                                .text())
                        .startsWith("on\n");
            }
        }
        assertThat(executor().isDisposed()).isFalse();
    }
}
