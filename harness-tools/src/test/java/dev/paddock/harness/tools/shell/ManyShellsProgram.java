package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.files.content.TimedPattern;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.output.Captured;
import dev.paddock.harness.tools.output.LogDirectory;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Starts many background shells in a JVM with a small heap, leaves them silent, and prints what
 * they cost.
 */
final class ManyShellsProgram {
    private static final CommandLimits LIMITS =
            new CommandLimits(Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofSeconds(2));
    private static final ToolContext CONTEXT = new QuietContext(AbortSignal.never());

    /** The CPU time of a few short polls. */
    private static final long QUIET_NANOS = 200_000;

    private ManyShellsProgram() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        int number = Integer.parseInt(arguments[1]);
        ExecutorService workers = Executors.newCachedThreadPool();
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
        HostExecutor executor = HostExecutor.create();
        LogDirectory logs = new LogDirectory(directory.resolve("logs"), 1 << 30);
        CommandRunner runner =
                new CommandRunner(executor, directory.toString(), Map.of(), LIMITS.killGrace(), logs, clock);
        BackgroundShells shells = new BackgroundShells(runner, logs, number + 1, Captured.MAX_OUTPUT, workers);
        Tool bash = new BashTool(runner, (command, signal) -> {}, LIMITS, shells, new AuditTrail("host", audit -> {}));
        start(bash, "echo 0; exec sleep 300");
        awaitLines(shells, 1);
        long heapBefore = heap();
        long residentBefore = resident();
        for (int i = 1; i <= number; i++) {
            start(bash, "echo " + i + "; exec sleep 300");
        }
        awaitLines(shells, number + 1);
        long heap = heap() - heapBefore;
        boolean quiet = becomesQuiet();
        int read = 0;
        for (int i = 0; i <= number; i++) {
            String text = shells.named("bash_" + (i + 1))
                    .read(Optional.<TimedPattern>empty(), Captured.MAX_OUTPUT)
                    .output()
                    .tail()
                    .text();
            read += text.equals(i + "\n") ? 1 : 0;
        }
        Json result = Json.object()
                .with("heapPerShell", heap / number)
                .with("residentPerShell", (resident() - residentBefore) / number)
                .with("quiet", quiet)
                .with("read", read);
        shells.endAll();
        long live = 0;
        for (int i = 0; i <= number; i++) {
            live += shells.named("bash_" + (i + 1)).isLive() ? 1 : 0;
        }
        System.out.println(result.with("liveAfterwards", live));
        executor.dispose();
        workers.shutdownNow();
        clock.shutdownNow();
    }

    private static void start(Tool bash, String command) {
        Json call = Json.object().with("command", command).with("run_in_background", true);
        bash.execute(new ToolCall("call", "bash", call), CONTEXT);
    }

    private static void awaitLines(BackgroundShells shells, int number) {
        await("every shell has unread output")
                .until(() -> IntStream.rangeClosed(1, number)
                        .allMatch(i -> shells.named("bash_" + i).hasUnread()));
    }

    /** Returns whether there comes a second in which no thread uses CPU time. */
    private static boolean becomesQuiet() {
        AtomicReference<Map<Long, Long>> last = new AtomicReference<>(cpu());
        try {
            await("the silent shells use no CPU")
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        Map<Long, Long> now = cpu();
                        Map<Long, Long> before = last.getAndSet(now);
                        return now.entrySet().stream()
                                .allMatch(
                                        used -> used.getValue() - before.getOrDefault(used.getKey(), 0L) < QUIET_NANOS);
                    });
            return true;
        } catch (ConditionTimeoutException busy) {
            return false;
        }
    }

    private static ConditionFactory await(String awaited) {
        return Awaitility.await(awaited).pollInSameThread().atMost(Duration.ofSeconds(20));
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long resident() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }

    /** Returns the CPU time of each thread except this one. */
    private static Map<Long, Long> cpu() {
        ThreadMXBean view = ManagementFactory.getThreadMXBean();
        Map<Long, Long> used = new HashMap<>();
        for (ThreadInfo thread : view.getThreadInfo(view.getAllThreadIds())) {
            if (thread != null && thread.getThreadId() != Thread.currentThread().threadId()) {
                used.put(thread.getThreadId(), view.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return used;
    }
}
