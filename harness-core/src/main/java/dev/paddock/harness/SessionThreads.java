package dev.paddock.harness;

import dev.paddock.harness.tools.threads.HarnessThreads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Owns a session's threads, all of them daemons: workers, which are platform threads because they block (on a pipe, a
 * model, a tool, a listener), and one clock thread, which never blocks. An idle session keeps only the clock thread,
 * which starts with the first command.
 */
final class SessionThreads {
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, HarnessThreads.numbered("paddock-clock-"));

    SessionThreads(ContextCarrier carrier) {
        workers =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        IDLE.toMillis(),
                        TimeUnit.MILLISECONDS,
                        new SynchronousQueue<>(),
                        HarnessThreads.numbered("paddock-worker-")) {
                    @Override
                    public void execute(Runnable task) {
                        super.execute(carrier.carry(task));
                    }
                };
        // Otherwise a canceled timeout stays queued until it is due, with all objects that it references.
        clock.setRemoveOnCancelPolicy(true);
    }

    ExecutorService workers() {
        return workers;
    }

    ScheduledExecutorService clock() {
        return clock;
    }

    /**
     * Shuts both pools down without waiting: threads that block in foreign code are interrupted and
     * abandoned.
     */
    void close() {
        clock.shutdownNow();
        workers.shutdownNow();
    }
}
