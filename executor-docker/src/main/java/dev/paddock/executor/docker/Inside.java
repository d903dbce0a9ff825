package dev.paddock.executor.docker;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What has to be known of a container to run commands in it.
 *
 * @param container its id
 * @param run which of the container's runs it is: process ids mean nothing in another
 * @param user whom commands run as, in Docker's form; empty for the container's own
 * @param init whether the engine has put its init into the container: then each command has a subreaper of its own
 * @param lease the main process's id, where its parent is the init; 0 if there is none of ours
 * @param strays what is a command's among the children of the container's first process
 * @param memoryLimit in bytes
 */
record Inside(
        String container, String run, String user, boolean init, long lease, Strays strays, OptionalLong memoryLimit) {

    /** What hangs on the container's first process and is not known to be anyone's. */
    enum Strays {
        /** All of it came from commands: the container is ours. */
        ALL,
        /** What carries the command's marker did; the rest is the container's own. */
        MARKED;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String INIT = "/sbin/docker-init";

    /**
     * What an exec of ours runs. The script comes on its input: an exec's arguments are published in the engine's events, and
     * this is all of it that they say.
     */
    List<String> argv(boolean subreaper) {
        String bootstrap = "s=; while IFS= read -r l && [ \"$l\" != . ]; do s=$s$l'\n'; done; eval \"$s\"";
        return subreaper && init ? List.of(INIT, "-s", "--", "sh", "-c", bootstrap) : List.of("sh", "-c", bootstrap);
    }
}
