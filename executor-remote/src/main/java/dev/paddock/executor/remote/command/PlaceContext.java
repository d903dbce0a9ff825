package dev.paddock.executor.docker.command;

import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Exec;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.remote.shell.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Describes a container, as far as is needed to run commands in it.
 *
 * @param container its id
 * @param run identifies the container's current run: process ids are not valid in another
 * @param user the user that commands run as, in Docker's form; empty for the container's own
 * @param init whether the engine has put its init into the container: then each command has a
 *     subreaper of its own
 * @param keepAlive the id of Paddock's own main process, whose parent is the init; 0 if there is
 *     none
 * @param orphans which children of the container's first process belong to a command
 * @param memoryLimit in bytes
 */
public record ContainerContext(
        String container,
        String run,
        String user,
        boolean init,
        long keepAlive,
        OrphanPolicy orphans,
        OptionalLong memoryLimit) {

    private static final String INIT = "/sbin/docker-init";

    /**
     * Starts a shell that reads its script from its input.
     *
     * @param subreaper whether it gets a subreaper, if the engine's init can be one
     * @return the shell
     * @throws dev.paddock.executor.SandboxLostException if the container does not exist, or does
     *     not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    ShellChannel open(Engine engine, boolean subreaper) {
        return Exec.start(engine, container, user, arguments(subreaper));
    }

    /**
     * Starts a shell as {@link #open} does, with a subreaper, at a terminal of its own.
     *
     * @return the shell
     * @throws dev.paddock.executor.SandboxLostException if the container does not exist, or does
     *     not run
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine does not answer
     */
    ShellChannel openAtTerminal(Engine engine) {
        return Exec.startAtTerminal(engine, container, user, arguments(true));
    }

    /** Starts a program without a terminal, and without a shell's script. */
    ShellChannel run(Engine engine, List<String> argv) {
        return Exec.start(engine, container, user, argv);
    }

    private List<String> arguments(boolean subreaper) {
        List<String> argv = new ArrayList<>(subreaper && init ? List.of(INIT, "-s", "--") : List.of());
        argv.addAll(Script.BOOTSTRAP);
        return argv;
    }
}
