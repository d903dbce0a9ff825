package dev.paddock.executor.upkeep;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * What {@code auto} and {@code paddock gc} need of Paddock's own providers. Other backends do not implement it:
 * users choose them by name, and they remove what they create.
 *
 * @since 0.1
 */
public interface BackendUpkeep {

    /**
     * Returns the backend's priority for the choice by {@code auto}: the usable backend with the
     * lowest number is chosen, as with a nice value.
     *
     * @param settings the settings that the executor would be created with
     * @return the priority, or empty if {@code auto} never chooses the backend, or not with these
     *     settings; empty by default
     */
    default OptionalInt autoPriority(Map<String, String> settings) {
        return OptionalInt.empty();
    }

    /**
     * Loads what every executor of the backend needs, such as the C library. Must change nothing that
     * an executor, a probe or another program could notice, and must not throw. Does nothing by default.
     */
    default void preload() {}

    /**
     * Ends the processes and removes the resources that runs of this backend have left behind on
     * this machine, if those runs are proven dead (C12). Processes and resources that may belong to
     * a live run remain untouched.
     *
     * @param mode whether they are ended and removed, or only named
     * @return a phrase for each process or resource that was, or with {@link SweepMode#DRY_RUN} would
     *     be, ended or removed, and for each that could not be; empty if there is none
     */
    default List<String> sweep(SweepMode mode) {
        return List.of();
    }

    /**
     * Sweeps as {@link #sweep(SweepMode)} does, for a caller that waits for some time only.
     *
     * @param mode whether they are ended and removed, or only named
     * @param bound how long the caller waits; a backend that asks other machines names those that have not answered by
     *     then. The other backends do not need it
     * @return a phrase for each process or resource
     */
    default List<String> sweep(SweepMode mode, Duration bound) {
        return sweep(mode);
    }

    /**
     * Accepts the state of a file that was changed after a session in its worktree had been killed.
     * Until the user has accepted or removed it, no command is started in that worktree.
     *
     * @param path the file's absolute path
     * @return the worktrees in which it is accepted now; empty if no killed session left it
     * @throws dev.paddock.executor.ExecutorException if a session is running in the worktree, or its
     *     journal cannot be written
     */
    default List<Path> accept(Path path) {
        return List.of();
    }
}
