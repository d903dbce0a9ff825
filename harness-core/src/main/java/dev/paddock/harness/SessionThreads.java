package dev.paddock.harness;

import dev.paddock.harness.tools.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A session's threads, all of them daemons: workers, which block (on a pipe, a model, a tool, a listener) and are platform
 * threads for that reason, and one clock, which never does. An idle session keeps none but the clock's, and that from its first
 * command on.
 */
final class SessionThreads {
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.numbered("paddock-worker-"));
    private final ScheduledThreadPoolExecutor clock =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("paddock-clock-"));

    SessionThreads() {
        // A timeout that was not needed would otherwise be kept until it is due, with all that it refers to.
        clock.setRemoveOnCancelPolicy(true);
    }

    ExecutorService workers() {
        return workers;
    }

    ScheduledExecutorService clock() {
        return clock;
    }

    /** Ends them without waiting: what blocks in foreign code is interrupted and left behind. */
    void close() {
        clock.shutdownNow();
        workers.shutdownNow();
    }
}
