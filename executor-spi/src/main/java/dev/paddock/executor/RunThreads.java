package dev.paddock.executor;

/** Creates the threads of a run: daemons on platform threads, without inherited thread-locals. */
final class RunThreads {
    private RunThreads() {}

    static Thread start(String name, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-run-" + name)
                .start(task);
    }
}
