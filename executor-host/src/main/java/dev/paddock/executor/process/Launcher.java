package dev.paddock.executor.process;

/** A way to start processes. */
interface Launcher extends AutoCloseable {

    /**
     * Starts a process.
     *
     * @throws dev.paddock.executor.SpawnException if it cannot be started; nothing is left of it
     */
    Child launch(LaunchSpec spec, LaunchThread thread);

    /** Whether the status tells an exit from a death by signal. */
    boolean exactStatus();

    @Override
    void close();
}
