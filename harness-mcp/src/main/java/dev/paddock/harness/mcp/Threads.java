package dev.paddock.harness.mcp;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** This module's threads: platform threads, because they block, and daemons, because none of them is to hold a program. */
final class Threads {
    private Threads() {}

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, "paddock-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** As many threads as there are tasks; idle ones end after a while. */
    static ExecutorService workers(String name) {
        return Executors.newCachedThreadPool(task -> daemon(name, task));
    }
}
