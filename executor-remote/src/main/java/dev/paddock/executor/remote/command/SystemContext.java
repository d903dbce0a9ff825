package dev.paddock.executor.remote.command;

import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.remote.shell.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The properties of a remote system that running commands in it needs.
 *
 * @param id identifies it to its users, for instance a container's id
 * @param run identifies the remote system's current run: process ids are not valid in another
 * @param subreaper the program, with its arguments, that starts a slot as the subreaper of its processes; empty without
 *     one
 * @param keepAlive the id of Paddock's own main process, whose parent is the remote system's first process; 0 if there
 *     is none
 * @param orphans which children of the remote system's first process belong to a command
 * @param memoryLimit in bytes
 */
public record SystemContext(
        String id, String run, List<String> subreaper, long keepAlive, OrphanPolicy orphans, OptionalLong memoryLimit) {

    public SystemContext {
        subreaper = List.copyOf(subreaper);
    }

    /** Returns the argument list of a slot's shell. */
    List<String> slot() {
        List<String> argv = new ArrayList<>(subreaper);
        argv.addAll(Script.BOOTSTRAP);
        return argv;
    }
}
