package dev.paddock.executor.process.launch;

import dev.paddock.executor.process.io.Poller;
import dev.paddock.executor.process.posix.Posix;
import java.util.Optional;

/** A way to start processes. */
@SuppressWarnings("exports") // only modules that the C library is exported to pass it
public interface Launcher extends AutoCloseable {

    /**
     * Starts a process.
     *
     * @throws dev.paddock.executor.SpawnException if it cannot be started; nothing is left of it
     */
    ChildProcess launch(LaunchSpec spec, LaunchThread thread);

    /** The C library that it starts processes through; empty where the JDK does. */
    Optional<Posix> posix();

    /** Whether the status tells an exit from a death by signal. */
    default boolean exactStatus() {
        return posix().isPresent();
    }

    /** What waits for the processes; empty where a thread for each does. */
    default Optional<Poller> poller() {
        return Optional.empty();
    }

    @Override
    void close();
}
