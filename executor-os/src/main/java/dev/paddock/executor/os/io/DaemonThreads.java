package dev.paddock.executor.os.io;

/**
 * Creates the executors' threads: daemons that do not inherit the thread-locals of the thread that
 * starts them. An executor serves several callers, so inherited locals of one caller would reach
 * the callbacks of another.
 */
public final class DaemonThreads {
    private DaemonThreads() {}

    /**
     * Returns a builder of platform threads.
     *
     * @param name the name of the threads
     * @return the builder
     */
    public static Thread.Builder.OfPlatform platform(String name) {
        return Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name);
    }

    /**
     * Returns a builder of virtual threads.
     *
     * @param name the name of the threads
     * @return the builder
     */
    public static Thread.Builder.OfVirtual virtual(String name) {
        return Thread.ofVirtual().inheritInheritableThreadLocals(false).name(name);
    }
}
