package dev.paddock.harness.tools;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import java.util.List;
import java.util.Optional;

/**
 * Opens or reopens the workspace of a session: a directory, the sandbox of its commands, and a reference that outlives
 * the process. A session calls it at the first tool call, from one thread at a time, and stores the reference with its
 * messages.
 *
 * <p>An exception of these methods ends the session's run, with the exception as its failure; the next tool call tries
 * again.
 *
 * @since 0.1
 */
public interface WorkspaceSource {

    /**
     * Returns the list of programs that commands in the workspace may be, if there is one. The session gives it to the
     * model, and refuses other programs before it opens the workspace.
     *
     * @return the programs, none of them if no command is allowed; empty if every command is
     */
    default Optional<List<String>> allowedCommands() {
        return Optional.empty();
    }

    /**
     * Opens a new workspace, or the one that this source was created for.
     *
     * @return the workspace; the session suspends it
     * @throws RuntimeException if it could not be opened, with a message for people
     */
    Opened open();

    /**
     * Reopens a workspace.
     *
     * @param reference an earlier result of {@link Opened#reference()}, in this process or another; untrusted until it
     *     is verified
     * @return the workspace; the session suspends it
     * @throws RuntimeException if it no longer exists or cannot be used, with a message for people
     */
    Opened resolve(String reference);

    /** A workspace that one session uses. */
    interface Opened {

        /** {@return the reference for {@link WorkspaceSource#resolve}, text on one line} */
        String reference();

        /** {@return the directory under its host path and its command path; constant} */
        PathMapping worktree();

        /** {@return the mounts that commands and file tools see in addition to the directory; constant} */
        List<Mount> mounts();

        /** {@return the part of the network that commands can reach; constant} */
        NetworkPolicy network();

        /** {@return the executor of the workspace's commands; the workspace disposes of it} */
        CommandExecutor executor();

        /**
         * Returns the executor for the session's own probe command, which checks that commands see the directory; rules
         * about commands do not apply to it.
         *
         * @return the executor, with the same sandbox; by default {@link #executor()}
         */
        default CommandExecutor probing() {
            return executor();
        }

        /**
         * Ends the commands and the sandbox, and keeps the files. Called once.
         *
         * @throws RuntimeException if commands could not be ended
         */
        void suspend();
    }
}
