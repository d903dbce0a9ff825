package dev.paddock.harness.tools;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import java.util.List;

/**
 * Tools from elsewhere: an MCP server, a directory of skills. A session opens its sources while it is built, unless its tool set
 * is closed: then a source is not touched at all. What it has opened it closes at its end, after its executor.
 */
public interface ToolSource {

    /**
     * What people know the source by, in errors and logs.
     *
     * @return a short text
     */
    String name();

    /**
     * Finds out which tools there are. A source may put off whatever is costly, a process above all, until one of its tools is
     * called for the first time. Blocks no longer than a user would wait for.
     *
     * @param place where the session works
     * @return the tools; the session's own, which closes them
     * @throws RuntimeException if they cannot be had; then there is no session
     */
    Opened open(Place place);

    /**
     * Where a session works.
     *
     * @param worktree its directory, under both names
     * @param executor where its commands run, for what belongs in there as well; it stays the session's
     */
    record Place(PathMapping worktree, CommandExecutor executor) {}

    /** A source in use by one session. */
    interface Opened extends AutoCloseable {

        /**
         * The tools, each of which says where its effect lands.
         *
         * @return the same on each call
         */
        List<Tool> tools();

        /**
         * What the model is told of them beside their own descriptions.
         *
         * @return plain text, part of the system prompt; empty, as by default, if there is nothing to tell
         */
        default String prompt() {
            return "";
        }

        /**
         * What could not be had, though the rest can be used. It is told to the session's listeners.
         *
         * @return a sentence for people each: what is missing, why, the remedy; empty, as by default, if there is nothing to tell
         */
        default List<String> problems() {
            return List.of();
        }

        /** Ends whatever was started for the tools, and waits for it, 10 seconds at most. Called once. */
        @Override
        void close();
    }
}
