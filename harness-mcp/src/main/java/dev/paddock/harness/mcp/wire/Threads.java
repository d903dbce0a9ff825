package dev.paddock.harness.mcp.wire;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Creates this module's threads: platform threads, because they block; daemons, because none of
 * them may keep the JVM alive; and without the inheritable thread-locals of the caller that happens
 * to start them.
 */
public final class Threads {
    private Threads() {}

    public static Thread daemon(String name, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-" + name)
                .unstarted(task);
    }

    /** Returns a pool with one thread per running task; idle threads end after a while. */
    public static ExecutorService workers(String name) {
        return Executors.newCachedThreadPool(task -> daemon(name, task));
    }
}
