package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.output.LogDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Runs one command through the bash tool in a JVM with a small heap, and prints the details of its
 * result.
 */
final class LongOutputProgram {
    private LongOutputProgram() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        ExecutorService workers = Executors.newCachedThreadPool();
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
        CommandLimits limits = new CommandLimits(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofSeconds(2));
        HostExecutor executor = HostExecutor.create();
        CommandRunner runner = new CommandRunner(
                executor,
                directory.toString(),
                Map.of(),
                limits.killGrace(),
                new LogDirectory(directory.resolve("logs"), Long.MAX_VALUE),
                clock);
        BashTool bash = new BashTool(
                runner, (command, signal) -> {}, limits, Background.OFF, new AuditTrail("test", audit -> {}));
        Json call = Json.object().with("command", arguments[1]);
        ToolResult result = bash.execute(new ToolCall("call", "bash", call), new QuietContext(AbortSignal.never()));
        System.out.println(result.details()
                .with("isError", result.isError())
                .with("textLength", result.text().length())
                .with(
                        "textEnd",
                        result.text().substring(Math.max(0, result.text().length() - 300))));
        executor.dispose();
        workers.shutdownNow();
        clock.shutdownNow();
    }
}
