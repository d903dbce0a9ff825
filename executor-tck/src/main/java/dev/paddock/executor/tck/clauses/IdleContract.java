package dev.paddock.executor.tck.clauses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.Processes;
import dev.paddock.executor.tck.context.TreeLivenessProbe;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * C16: idleness. Polling uses CPU in every second; work that is about to finish does not.
 * Therefore the test waits for one quiet second among several. Quiet means that no Java thread ran
 * for as long as five short polls take, and that no process below this JVM or of the commands ran
 * at all.
 */
public interface IdleContract {
    Duration WINDOW = Duration.ofSeconds(1);

    long QUIET_NANOS = 200_000;

    @Test
    @Order(2)
    default void C16_silentCommandsUseNoCpu(ContractContext context) throws Exception {
        assumeTrue(Processes.canLook(), "there is no /proc to look at");
        CommandExecutor executor = context.fresh().executor();
        TreeLivenessProbe probe = context.probe();
        for (int i = 0; i < 8; i++) {
            context.start(executor, probe.hold() + "read x < " + context.never(), context.options());
        }
        probe.awaitUp(8, context.patience());
        Activity[] last = {Activity.now(context)};
        Awaitility.await("the JVM uses no CPU while its commands are silent")
                .pollInSameThread()
                .pollInterval(WINDOW)
                .atMost(context.patience())
                .untilAsserted(() -> {
                    Activity now = Activity.now(context);
                    Activity before = last[0];
                    last[0] = now;
                    assertThat(now.threadsSince(before))
                            .as(
                                    "Java threads that ran in a second with 8 silent commands, and for how many nanoseconds")
                            .isEmpty();
                    assertThat(now.processesSince(before))
                            .as("processes that ran in a second with 8 silent commands, and how often")
                            .isEmpty();
                });
    }

    /**
     * The activity so far: CPU nanoseconds of threads, and the number of context switches of
     * processes.
     */
    record Activity(Map<String, Long> threads, Map<String, Long> processes) {

        static Activity now(ContractContext context) {
            ThreadMXBean view = ManagementFactory.getThreadMXBean();
            Map<String, Long> threads = new TreeMap<>();
            for (long id : view.getAllThreadIds()) {
                ThreadInfo thread = view.getThreadInfo(id);
                if (thread != null && !isOfTheTests(thread)) {
                    threads.put(id + " " + thread.getThreadName(), Math.max(0, view.getThreadCpuTime(id)));
                }
            }
            Map<String, Long> processes = new TreeMap<>();
            Stream.concat(ProcessHandle.current().descendants(), Processes.tagged(context.tag()).stream())
                    .distinct()
                    .forEach(process -> processes.put(Processes.describe(process), Processes.contextSwitches(process)));
            return new Activity(threads, processes);
        }

        /**
         * Returns whether a thread belongs to the tests: this one, and the one with which Surefire
         * flushes its streams ten times a second.
         */
        private static boolean isOfTheTests(ThreadInfo thread) {
            return thread.getThreadId() == Thread.currentThread().threadId()
                    || thread.getThreadName().startsWith("surefire-");
        }

        /** Returns the threads that ran for longer than a few short polls take. */
        Map<String, Long> threadsSince(Activity before) {
            return grown(threads, before.threads, QUIET_NANOS);
        }

        /** Returns the processes that ran at all. */
        Map<String, Long> processesSince(Activity before) {
            return grown(processes, before.processes, 0);
        }

        private static Map<String, Long> grown(Map<String, Long> now, Map<String, Long> before, long tolerated) {
            Map<String, Long> more = new TreeMap<>();
            now.forEach((name, count) -> {
                long growth = count - before.getOrDefault(name, 0L);
                if (growth > tolerated) {
                    more.put(name, growth);
                }
            });
            return more;
        }
    }
}
