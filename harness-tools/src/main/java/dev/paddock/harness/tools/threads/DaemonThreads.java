package dev.paddock.harness.tools.threads;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Makes the harness's threads: daemons, and without the inheritable thread-locals of whichever thread starts them. A thread
 * serves calls of several callers, so that one caller's locals would reach another's tool call.
 */
public final class DaemonThreads {
    private DaemonThreads() {}

    /**
     * Makes threads with numbered names.
     *
     * @param prefix what the names begin with; numbers from 1 follow
     * @return the factory
     */
    public static ThreadFactory numbered(String prefix) {
        return builder().name(prefix, 1).factory();
    }

    /**
     * Starts a thread for each task.
     *
     * @param name the name of all these threads
     * @return the executor, which is never to be closed
     */
    public static Executor perTask(String name) {
        return task -> builder().name(name).start(task);
    }

    private static Thread.Builder.OfPlatform builder() {
        return Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
    }
}
