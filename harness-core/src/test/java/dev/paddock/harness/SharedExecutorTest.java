package dev.paddock.harness;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * Base class of session tests on every backend. All sessions of a backend share one executor and
 * one worktree, because creating an executor takes the longest. The executor's policy sets PATH and
 * one variable.
 */
abstract class SharedExecutorTest extends BackendTest {
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    @TempDir
    static Path directory;

    private static List<CommandExecutor> shared = List.of();

    /** The updates of the last tool call before it returned. */
    final List<String> updates = new CopyOnWriteArrayList<>();

    @BeforeParameterizedClassInvocation
    static void makeExecutor(Backend backend) throws IOException {
        Path worktree = Files.createDirectory(directory.resolve(backend.toString()));
        shared = List.of(backend.executor(
                worktree,
                policy -> policy.environment(
                        EnvironmentPolicy.empty().with("PATH", PATH).with("GIVEN", "a value"))));
    }

    @AfterParameterizedClassInvocation
    static void disposeOfExecutor() {
        shared.forEach(CommandExecutor::dispose);
        shared = List.of();
    }

    @BeforeEach
    void takeSharedWorktree() {
        worktree = directory.resolve(backend.toString());
    }

    /** Returns the shared executor, which outlives the session. */
    @Override
    CommandExecutor executor() {
        CommandExecutor lasting = shared.getFirst();
        return new CommandExecutor() {
            @Override
            public ProcessLike spawn(String command, SpawnOptions options) {
                return lasting.spawn(command, options);
            }

            @Override
            public Set<Guarantee> guarantees() {
                return lasting.guarantees();
            }

            @Override
            public String name() {
                return lasting.name();
            }
        };
    }

    AgentSession session() {
        return open(builder(script("")));
    }

    static Json arguments(String name, String value) {
        return Json.object().with(name, value);
    }

    ToolResult call(AgentSession session, String name, Json arguments) {
        return call(session, name, arguments, AbortSignal.never());
    }

    ToolResult call(AgentSession session, String name, Json arguments, AbortSignal signal) {
        Tool tool = tool(session, name);
        return tool.execute(new ToolCall("call", name, arguments), new ToolContext() {
            @Override
            public AbortSignal signal() {
                return signal;
            }

            @Override
            public void update(String textSoFar) {
                updates.add(textSoFar);
            }
        });
    }

    static Tool tool(AgentSession session, String name) {
        return session.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns a command's output; the command must succeed. */
    String run(AgentSession session, String command) {
        ToolResult result = call(session, "bash", arguments("command", command));
        if (result.isError()) {
            throw new AssertionError(command + ": " + result.text());
        }
        return result.text();
    }

    ToolResult start(AgentSession session, String command) {
        return call(session, "bash", arguments("command", command).with("run_in_background", true));
    }

    ToolResult output(AgentSession session, String id) {
        return call(session, "bash_output", arguments("shell_id", id));
    }

    /** Returns a number of seconds that no other sleep command uses. */
    static String token() {
        return "300." + new SecureRandom().nextInt(Integer.MAX_VALUE);
    }

    /** Returns whether the host sees a process with a token in its arguments. */
    static boolean runs(String token) {
        return ProcessHandle.allProcesses()
                .filter(process -> !process.equals(ProcessHandle.current()))
                .anyMatch(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).contains(token))
                        .isPresent());
    }
}
