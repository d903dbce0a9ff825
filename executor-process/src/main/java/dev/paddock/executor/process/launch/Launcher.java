package dev.paddock.executor.process.launch;

import dev.paddock.executor.Signal;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.stream.Poller;
import java.util.Optional;

/**
 * Starts processes, for the supervisor alone.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL)
@SuppressWarnings("exports") // only modules that the C library is exported to pass it
public interface Launcher extends AutoCloseable {

    /**
     * Returns a launcher.
     *
     * @param posix the C library, which starts the processes; empty if the JDK does
     * @param name prefix of its threads' names
     */
    static Launcher of(Optional<Posix> posix, String name) {
        return posix.<Launcher>map(found -> new NativeLauncher(found, name)).orElseGet(JdkLauncher::new);
    }

    /** Returns whether processes that the C library starts behave as required here; tested once. */
    static boolean passesSelfTest() {
        return NativeSelfTest.passesHere();
    }

    /**
     * Sends any signal to a process; the JDK can only send TERM and KILL. Uses the {@code kill} program where jnr-posix
     * has no native call.
     */
    static boolean kill(long pid, Signal signal) {
        return JdkChild.kill(pid, signal);
    }

    /**
     * Starts a process.
     *
     * @throws dev.paddock.executor.SpawnException if it cannot be started; no process or descriptor is left
     */
    ChildProcess launch(LaunchSpec spec, LaunchThread thread);

    Optional<Posix> posix();

    /** Returns whether the status distinguishes an exit from death by a signal. */
    default boolean hasExactStatus() {
        return posix().isPresent();
    }

    /** Returns the poller that waits for the processes; empty if each has a thread. */
    default Optional<Poller> poller() {
        return Optional.empty();
    }

    /** Returns the source of terminals; empty where processes cannot have one. */
    default Optional<TerminalSource> terminals() {
        return Optional.empty();
    }

    @Override
    void close();
}
