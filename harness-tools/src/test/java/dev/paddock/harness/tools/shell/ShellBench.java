package dev.paddock.harness.tools.shell;

import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.output.LogDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Provides the tools for background shells over real processes, and over fake ones for states that a real
 * process cannot be brought to.
 */
abstract class ShellBench {
    static final CommandLimits LIMITS =
            new CommandLimits(Duration.ofSeconds(60), Duration.ofSeconds(600), Duration.ofMillis(500));
    static final int MAX_LIVE = 3;
    static final ShellBounds HASTY =
            new ShellBounds(Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofMillis(100));

    @TempDir
    Path home;

    final CommandExecutor commands = HostExecutor.create();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    final ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    final List<CommandAudit> audits = new CopyOnWriteArrayList<>();
    private final List<BackgroundShells> opened = new ArrayList<>();
    Bench host;

    /** Provides the three tools over one executor. */
    final class Bench {
        final BackgroundShells shells;
        final Tool bash;
        final Tool output;
        final Tool kill;

        Bench(CommandExecutor executor) {
            this(executor, ShellBounds.STANDARD);
        }

        Bench(CommandExecutor executor, ShellBounds bounds) {
            LogDirectory logs = new LogDirectory(home.resolve("logs"), Long.MAX_VALUE);
            CommandRunner runner =
                    new CommandRunner(executor, home.toString(), Map.of(), LIMITS.killGrace(), logs, clock);
            shells = new BackgroundShells(runner, logs, MAX_LIVE, workers, bounds);
            opened.add(shells);
            bash = new BashTool(runner, (command, signal) -> {}, LIMITS, shells, new AuditTrail("test", audits::add));
            output = new BashOutputTool(shells);
            kill = new KillShellTool(shells);
        }

        ToolResult start(String command) {
            return call(bash, arguments("command", command).with("run_in_background", true), AbortSignal.never());
        }

        ToolResult output(String id) {
            return call(output, arguments("shell_id", id), AbortSignal.never());
        }

        ToolResult wait(String id, double seconds, String until) {
            return call(
                    output,
                    arguments("shell_id", id).with("wait_seconds", seconds).with("until", until),
                    AbortSignal.never());
        }

        ToolResult run(String command) {
            return call(bash, arguments("command", command), AbortSignal.never());
        }

        ToolResult kill(String id) {
            return call(kill, arguments("shell_id", id), AbortSignal.never());
        }

        /** Reads a shell's output until it has ended, and returns it with the final status. */
        String untilItsEnd(String id) {
            StringBuilder read = new StringBuilder();
            await("the shell has ended").atMost(Duration.ofSeconds(60)).until(() -> {
                ToolResult result = output(id);
                read.append(result.text()).append('\n');
                return !result.details().text("status").orElseThrow().equals("running");
            });
            return read.toString();
        }

        void awaitOutput(String id, String text) {
            StringBuilder read = new StringBuilder();
            await("the background shell has written the expected text")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> read.append(output(id).text()).indexOf(text) >= 0);
        }
    }

    static ToolResult call(Tool tool, Json arguments, AbortSignal signal) {
        return tool.execute(new ToolCall("call", tool.name(), arguments), new QuietContext(signal));
    }

    static Json arguments(String name, String value) {
        return Json.object().with(name, value);
    }

    @BeforeEach
    void makeBench() {
        host = new Bench(commands);
    }

    @AfterEach
    void endShells() {
        opened.forEach(BackgroundShells::endAll);
        workers.shutdownNow();
        clock.shutdownNow();
        commands.dispose();
    }
}
