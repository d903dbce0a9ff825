package dev.paddock.executor.remote.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Supplies the remote system in which one executor runs its commands: an existing one, or its own. */
public interface RemoteProvider {

    /** Returns the commands' base environment, which their own variables override. */
    Map<String, String> environment();

    Set<Guarantee> guarantees();

    int warmSlots();

    /**
     * Opens the remote system, creating it if necessary.
     *
     * @param survivors commands from before the last loss that may still run
     * @param signal aborts the image pull, which may take long
     * @throws dev.paddock.executor.AbortedException if it has aborted the pull
     */
    RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal);

    /**
     * Announces a command to the guard of the worktree.
     *
     * @return the command, not yet begun; empty if the remote system protects no worktree
     */
    default Optional<WorktreeGuard.Command> announce() {
        return Optional.empty();
    }

    /** Returns whether commands may not change a file of this machine, as the executor's {@code isKept} does. */
    default boolean isKept(Path path) {
        return false;
    }

    /**
     * Starts recording what a command that starts now is denied, for its report.
     *
     * @return called at the command's end, returns notices; none by default
     */
    default Supplier<List<String>> observe() {
        return List::of;
    }

    /**
     * Refuses options that publish a port where {@link #publish} is unsupported.
     *
     * @throws dev.paddock.executor.SpawnException by default
     */
    default void requirePublishing(SpawnOptions options) {
        options.refusePublishing(
                backend(), "its commands run in " + what() + ", whose network this machine does not have");
    }

    /**
     * Publishes ports of a command that is about to start.
     *
     * @return the publication; closed at the command's end
     * @throws dev.paddock.executor.SpawnException for example if a port of this machine is in use
     */
    default Publication publish(RemoteSystem remote, List<PublishedPort> ports) {
        throw new IllegalStateException("no port of " + what() + " is published");
    }

    /**
     * Ends the remote system and every process in it, even if the engine can no longer reach it. Takes a second or two
     * at most.
     *
     * @return whether it has ended; false for a remote system that the executor does not own, or without confirmation
     */
    default boolean end() {
        return false;
    }

    /** Returns the directory that the remote system shares with the host; empty if unknown. */
    default Optional<PathMapping> worktree() {
        return Optional.empty();
    }

    /** Returns the backend's name, for exceptions. */
    String backend();

    /** Returns how to manually end a remote system that could not be ended. */
    String remedy();

    /** Creates the exception for a remote system that may remain after disposal. */
    ExecutorException left(String message, Throwable cause);

    /** Returns why commands get no terminal without {@link Guarantee#TERMINAL}, and the remedy. */
    String withoutTerminal();

    /** Describes the remote system in messages. */
    String what();

    /** Names the remote system in messages to a command's caller; shorter where that is unambiguous. */
    default String briefly() {
        return what();
    }

    /**
     * Removes the resources that the executor owns.
     *
     * @param survivors commands that may still run; {@link RemoteCommand#confirmEnd} settles them when the remote
     *     system has been removed
     */
    void dispose(List<RemoteCommand> survivors);
}
