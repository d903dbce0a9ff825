package dev.paddock.executor.process.supervise;

import dev.paddock.executor.os.io.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a supervisor's blocking tasks on threads, at once or after a delay. */
final class SupervisorThreads implements AutoCloseable {
    private static final long IDLE_THREAD_SECONDS = 5;

    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timer;

    SupervisorThreads(String label) {
        // The JDK's own counter of thread names uses generated code, which would delay each start.
        AtomicInteger threadNumbers = new AtomicInteger();
        ThreadFactory factory = task -> DaemonThreads.platform(label + "-" + threadNumbers.incrementAndGet())
                .unstarted(task);
        threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                factory,
                (task, pool) -> task.run()); // after disposal
        timer = new ScheduledThreadPoolExecutor(
                1,
                DaemonThreads.platform(label + "-timer").factory(),
                new ThreadPoolExecutor.DiscardPolicy()); // after disposal, when all processes to kill have ended
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_THREAD_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    void run(Runnable task) {
        threads.execute(task);
    }

    /** Runs a task on a separate thread after a delay. */
    void runAfter(Duration delay, Runnable task) {
        if (delay.isZero()) {
            run(task);
        } else {
            ScheduledFuture<?> unused = timer.schedule(() -> run(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    int waiting() {
        return timer.getQueue().size();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdown();
    }
}
