package dev.paddock.executor;

import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of runs: on daemons, platform threads without inherited thread-locals. A thread
 * stays idle for some seconds to serve the next run: creating three for each run takes longer than
 * many commands.
 */
final class RunThreads {
    private static final long IDLE_SECONDS = 10;

    private static final ThreadPoolExecutor POOL = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory());

    private RunThreads() {}

    private static ThreadFactory factory() {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-run-", 1)
                .factory();
    }

    /** Starts a task; cancelling it interrupts the thread only while it runs this task. */
    static Future<?> start(Runnable task) {
        return POOL.submit(task);
    }
}
