package dev.paddock.executor.sandbox.spawn;

import java.util.List;

/** Settles the worktree after one command. */
interface CommandSettlement {

    /**
     * Settles the worktree while processes of the command survive SIGKILL and may still change it; {@link #settle}
     * follows when they have exited.
     *
     * @param survivors describes the processes
     * @return notices
     */
    List<String> examine(String survivors);

    /**
     * Settles the worktree after every process of the command has exited. A second call does nothing.
     *
     * @return notices
     */
    List<String> settle();

    /**
     * Saves notices that the command's own report does not contain for the next report. Disposal reports those of
     * processes that have outlived the command.
     */
    void postpone(List<String> notices);

    /** Stops tracking the command, after {@link #settle}; disposal waits for this. */
    void close();
}
