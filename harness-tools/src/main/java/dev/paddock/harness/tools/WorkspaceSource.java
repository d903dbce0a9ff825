package dev.paddock.harness.tools;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import java.util.List;
import java.util.Optional;

/**
 * Opens the workspace of a session, or finds it again: a directory, the sandbox of its commands,
 * and a reference that outlives the process. A session calls it at the first use of a tool, one
 * call at a time, and stores the reference with its messages.
 *
 * <p>An exception of these methods ends the session's run, with the exception as its failure; the
 * next use of a tool tries again.
 *
 * @since 0.1
 */
public interface WorkspaceSource {

    /**
     * Returns the programs that commands in the workspace may be, if there is a list of them. The session
     * tells the model, and refuses the others before the workspace is opened.
     *
     * @return the programs, none of them if no command is allowed; empty if every command is
     */
    default Optional<List<String>> allowedCommands() {
        return Optional.empty();
    }

    /**
     * Opens a new workspace, or the one that this source was made for.
     *
     * @return the workspace; the session suspends it
     * @throws RuntimeException if it could not be opened, with a message for people
     */
    Opened open();

    /**
     * Finds a workspace again.
     *
     * @param reference what {@link Opened#reference()} returned, in this process or another; not to
     *     be trusted unless it is verified
     * @return the workspace; the session suspends it
     * @throws RuntimeException if it no longer exists or cannot be used, with a message for people
     */
    Opened resolve(String reference);

    /** A workspace that one session uses. */
    interface Opened {

        /**
         * Returns the reference by which the workspace is found again.
         *
         * @return text on one line
         */
        String reference();

        /**
         * Returns the directory, under its path on the host and that of commands.
         *
         * @return the mapping; constant
         */
        PathMapping worktree();

        /**
         * Returns what commands see besides the directory. The file tools see it as well.
         *
         * @return the mounts; constant
         */
        List<Mount> mounts();

        /**
         * Returns the part of the network that commands can reach.
         *
         * @return the network; constant
         */
        NetworkPolicy network();

        /**
         * Returns the executor of the workspace's commands.
         *
         * @return the executor; the workspace disposes of it
         */
        CommandExecutor executor();

        /**
         * Returns the executor for the session's own probe command, which checks that commands see the
         * directory; rules about commands do not apply to it.
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
