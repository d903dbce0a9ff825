package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.output.LogDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Provides the bash tool over real processes, and over fake ones for states that a real process
 * cannot be brought to.
 */
abstract class BashBench {
    private static final CommandLimits LIMITS =
            new CommandLimits(Duration.ofSeconds(60), Duration.ofSeconds(600), Duration.ofMillis(500));

    @TempDir
    Path home;

    final CommandExecutor host = HostExecutor.create();
    final ExecutorService workers = Executors.newCachedThreadPool();
    final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    final List<String> updates = new CopyOnWriteArrayList<>();

    @AfterEach
    void endAll() {
        host.dispose();
        workers.shutdownNow();
        clock.shutdownNow();
    }

    BashTool tool(CommandExecutor executor) {
        CommandRunner runner = new CommandRunner(
                executor,
                home.toString(),
                Map.of(),
                LIMITS.killGrace(),
                new LogDirectory(home.resolve("logs"), Long.MAX_VALUE),
                clock);
        return new BashTool(
                runner, (command, signal) -> {}, LIMITS, Background.OFF, new AuditTrail("test", audit -> {}));
    }

    ToolResult run(CommandExecutor executor, Json arguments, AbortSignal signal) {
        return tool(executor).execute(new ToolCall("call", "bash", arguments), new ToolContext() {
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

    ToolResult run(String command) {
        return run(host, arguments(command), AbortSignal.never());
    }

    static Json arguments(String command) {
        return Json.object().with("command", command);
    }

    ToolResult run(FakeProcess process) {
        return run((command, options) -> process, arguments("anything"), AbortSignal.never());
    }
}
