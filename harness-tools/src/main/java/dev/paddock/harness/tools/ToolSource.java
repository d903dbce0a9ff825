package dev.paddock.harness.tools;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import java.util.List;

/**
 * Provides tools from outside the session, such as an MCP server or a directory of skills. Building a session opens its
 * sources, unless its tool set is closed: then it does not call them at all. The session closes opened sources when it
 * is disposed, after its executor.
 *
 * @since 0.1
 */
public interface ToolSource {

    /** {@return the short name by which errors and logs identify the source} */
    String name();

    /**
     * Discovers the source's tools. A source may defer costly work, above all starting a process,
     * until one of its tools is called for the first time. Blocks no longer than a user would wait.
     *
     * @param place where the session works
     * @return the opened source; owned by the session, which closes it
     * @throws RuntimeException if the tools are not available; the session is then not built
     */
    Opened open(Place place);

    /**
     * Describes where a session works.
     *
     * @param worktree its directory, by its host path and its command path
     * @param executor the executor that runs its commands, for tools that also run there; the session keeps ownership
     */
    record Place(PathMapping worktree, CommandExecutor executor) {}

    /** A source that one session has opened. */
    interface Opened extends AutoCloseable {

        /**
         * Returns the tools, each of which declares its execution site.
         *
         * @return the same on each call
         */
        List<Tool> tools();

        /**
         * Returns text about the tools for the model, in addition to their own descriptions.
         *
         * @return plain text, part of the system prompt; empty by default, if there is nothing to
         *     add
         */
        default String prompt() {
            return "";
        }

        /**
         * Returns the unavailable parts of a usable source. The session reports them to its listeners.
         *
         * @return one sentence for people per problem: what is missing, why, the remedy; empty by default
         */
        default List<String> problems() {
            return List.of();
        }

        /**
         * Terminates everything that was started for the tools, and waits at most 10 seconds for its end. Called once.
         */
        @Override
        void close();
    }
}
