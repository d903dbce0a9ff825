package dev.paddock.executor.process.launch;

import dev.paddock.executor.process.io.Poller;
import dev.paddock.executor.process.posix.Posix;
import java.util.Optional;

/**
 * Starts processes.
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // only modules that the C library is exported to pass it
public interface Launcher extends AutoCloseable {

    /**
     * Starts a process.
     *
     * @throws dev.paddock.executor.SpawnException if it cannot be started; no process or descriptor
     *     is left
     */
    ChildProcess launch(LaunchSpec spec, LaunchThread thread);

    /** Returns the C library that this launcher uses; empty where the JDK starts the processes. */
    Optional<Posix> posix();

    /** Returns whether the status distinguishes an exit from death by a signal. */
    default boolean hasExactStatus() {
        return posix().isPresent();
    }

    /** Returns the poller that waits for the processes; empty where one thread per process does. */
    default Optional<Poller> poller() {
        return Optional.empty();
    }

    /** Returns the source of terminals for processes; empty where processes cannot have one. */
    default Optional<TerminalSource> terminals() {
        return Optional.empty();
    }

    @Override
    void close();
}
