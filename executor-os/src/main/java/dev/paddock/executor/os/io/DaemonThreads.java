package dev.paddock.executor.os.io;

/**
 * Creates the executors' threads: daemons that inherit no thread-locals. An executor serves several callers, so one
 * caller's inherited locals would reach another's callbacks.
 */
public final class DaemonThreads {
    private DaemonThreads() {}

    /**
     * Returns a builder of platform threads.
     *
     * @param name the name of the threads
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
     */
    public static Thread.Builder.OfVirtual virtual(String name) {
        return Thread.ofVirtual().inheritInheritableThreadLocals(false).name(name);
    }
}
