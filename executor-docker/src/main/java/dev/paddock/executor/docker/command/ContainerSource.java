package dev.paddock.executor.docker.command;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Supplies the container in which one executor runs its commands: an existing one, or one of its
 * own.
 */
public interface ContainerSource {

    /** Returns the commands' base environment, which their own variables override. */
    Map<String, String> environment();

    Set<Guarantee> guarantees();

    /** Returns how many warm slots are kept. */
    int warmSlots();

    /**
     * Opens the container, creating it if necessary.
     *
     * @param survivors commands of an earlier life that may still run
     * @param signal aborts the image pull, which may take long
     * @throws dev.paddock.executor.AbortedException if it has aborted the pull
     */
    Container open(List<ContainerCommand> survivors, AbortSignal signal);

    /**
     * Announces a command to the guard of the worktree.
     *
     * @return the command, not begun yet; empty if the container protects no worktree
     */
    default Optional<WorktreeGuard.Command> announce() {
        return Optional.empty();
    }

    /**
     * Begins to observe what commands are denied, for the report of one that starts now.
     *
     * @return called at the command's end, returns notices; none by default
     */
    default Supplier<List<String>> observe() {
        return List::of;
    }

    /** Registers an observer of the commands' connections, if the container has any. */
    default void onConnection(Consumer<HostConnection> observer) {}

    /**
     * Ends the container and every process in it, also if the engine cannot reach the container any
     * more. Takes a second or two at most.
     *
     * @return whether it has ended; false for a container that the executor does not own, or if the
     *     end is not confirmed
     */
    default boolean end() {
        return false;
    }

    /** Returns the directory that the container shares with the host; empty if that is unknown. */
    default Optional<PathMapping> worktree() {
        return Optional.empty();
    }

    /** Describes the container in messages. */
    String what();

    /**
     * Removes the resources that the executor owns.
     *
     * @param survivors commands that may still run; {@link ContainerCommand#confirmEnd} settles
     *     them when the container has been removed
     */
    void dispose(List<ContainerCommand> survivors);
}
