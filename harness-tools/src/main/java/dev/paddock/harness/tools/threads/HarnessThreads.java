package dev.paddock.harness.tools.threads;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * Creates the harness's threads: daemons that do not inherit thread-locals. A thread serves several callers, so that
 * one caller's locals would reach another's tool call.
 */
public final class HarnessThreads {
    private HarnessThreads() {}

    /**
     * Returns a factory for threads with numbered names.
     *
     * @param prefix the prefix of the names; numbers from 1 follow
     * @return the factory
     */
    public static ThreadFactory numbered(String prefix) {
        return builder().name(prefix, 1).factory();
    }

    /**
     * Returns an executor that starts a thread for each task.
     *
     * @param name the name of all these threads
     * @return the executor, which must never be closed
     */
    public static Executor perTask(String name) {
        return task -> builder().name(name).start(task);
    }

    private static Thread.Builder.OfPlatform builder() {
        return Thread.ofPlatform().daemon().inheritInheritableThreadLocals(false);
    }
}
