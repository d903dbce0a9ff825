package dev.paddock.executor.process.warm;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Launches the stub that receives a command request: a {@link NativeStub} if the machine supports
 * it, otherwise a {@link ShellStub}.
 */
public final class CommandLauncher {
    private static final int PROGRAM = CommandRequest.ANSWER_DESCRIPTOR + 1;

    private final Optional<NativeStub> program;
    private final CommandRequest.Transport transport;

    private CommandLauncher(Optional<NativeStub> program, CommandRequest.Transport transport) {
        this.program = program;
        this.transport = transport;
    }

    /**
     * Creates the launcher with the fastest stub that a supervisor's processes support.
     *
     * @param supervisor starts the stubs
     * @return the launcher
     */
    public static CommandLauncher of(Supervisor supervisor) {
        return of(supervisor, PROGRAM);
    }

    /**
     * Creates the same launcher for a sandbox in which the native stub's file has another
     * descriptor number.
     *
     * @param supervisor starts the stubs
     * @param program the descriptor number under which the native stub's file is passed
     * @return the launcher
     */
    public static CommandLauncher of(Supervisor supervisor, int program) {
        return supervisor.sourcesDescriptors()
                ? new CommandLauncher(NativeStub.as(program), CommandRequest.Transport.DESCRIPTORS)
                : ofShells(CommandRequest.Transport.STANDARD_STREAMS);
    }

    /**
     * Creates a launcher of shell stubs.
     *
     * @param transport how command requests reach them
     * @return the launcher
     */
    public static CommandLauncher ofShells(CommandRequest.Transport transport) {
        return new CommandLauncher(Optional.empty(), transport);
    }

    /**
     * Describes the process of a stub, without a sandbox around it.
     *
     * @param shell the shell that a shell stub runs in
     * @param name the name that this shell uses in its messages
     * @return a builder to complete with the environment and standard error. Standard input is a
     *     pipe
     */
    public LaunchSpec.Builder launch(String shell, String name) {
        return program.map(NativeStub::launch)
                .orElseGet(() -> launchShell(shell, name))
                .stdin(SpawnOptions.Stdin.PIPE);
    }

    private LaunchSpec.Builder launchShell(String shell, String name) {
        LaunchSpec.Builder spec = LaunchSpec.builder(shell, "-c", transport.bootstrap(), name);
        if (transport == CommandRequest.Transport.DESCRIPTORS) {
            spec.descriptor(CommandRequest.ORDER_DESCRIPTOR, new ChildDescriptor.Reads())
                    .descriptor(CommandRequest.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes(true));
        }
        return spec;
    }

    /**
     * Returns whether variables in a command request reach the command unchanged. If not, the
     * caller should start the stub with them in its environment.
     *
     * @param names the variables' names
     * @return false if some shell treats one of them specially
     */
    public boolean passesExactly(Set<String> names) {
        return program.isPresent() || CommandRequest.passesExactly(names);
    }

    /**
     * Makes a stub enter the command request's directory. Does not wait for that, and the command
     * does not start before {@link PreparedCommand#become}.
     *
     * @param child the stub's process
     * @param env the environment that the stub was started with
     * @param order the command request
     * @return the command, prepared but not started
     * @throws IOException if the stub has ended
     */
    public PreparedCommand enter(ChildProcess child, Map<String, String> env, CommandRequest order) throws IOException {
        return program.isPresent() ? program.get().enter(child, env, order) : ShellStub.enter(child, order, transport);
    }
}
