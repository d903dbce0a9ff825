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

/** What waits for an executor's commands: a {@link NativeStub} where the machine runs one, else a {@link ShellStub}. */
public final class CommandLauncher {
    private static final int PROGRAM = CommandRequest.ANSWER_DESCRIPTOR + 1;

    private final Optional<NativeStub> program;
    private final CommandRequest.Transport transport;

    private CommandLauncher(Optional<NativeStub> program, CommandRequest.Transport transport) {
        this.program = program;
        this.transport = transport;
    }

    /**
     * The best that the processes of a supervisor can be started by.
     *
     * @param supervisor starts them
     * @return the starter
     */
    public static CommandLauncher of(Supervisor supervisor) {
        return of(supervisor, PROGRAM);
    }

    /**
     * The same for a place where the program is handed on under a number of its own.
     *
     * @param supervisor starts the processes
     * @param program the descriptor that the waiting program is to be handed on as
     * @return the starter
     */
    public static CommandLauncher of(Supervisor supervisor, int program) {
        return supervisor.sourcesDescriptors()
                ? new CommandLauncher(NativeStub.as(program), CommandRequest.Transport.DESCRIPTORS)
                : ofShells(CommandRequest.Transport.STANDARD_STREAMS);
    }

    /**
     * Waiting shells.
     *
     * @param transport how orders reach them
     * @return the starter
     */
    public static CommandLauncher ofShells(CommandRequest.Transport transport) {
        return new CommandLauncher(Optional.empty(), transport);
    }

    /**
     * Starts what waits, with nothing around it.
     *
     * @param shell the shell that waits where one does
     * @param name what that one calls itself in its messages
     * @return to be completed: with the environment, and standard error. Standard input is a pipe
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
     * Whether variables reach the command just as they are told in an order. If not, what waits is better started with them.
     *
     * @param names the variables' names
     * @return false if some shell would keep one of them for itself
     */
    public boolean passesExactly(Set<String> names) {
        return program.isPresent() || CommandRequest.passesExactly(names);
    }

    /**
     * Has what waits enter the order's directory. Does not wait for that, and the command does not start before
     * {@link PreparedCommand#become}.
     *
     * @param child what waits
     * @param env the environment it was started with
     * @param order the order
     * @return the command, half told
     * @throws IOException if what waited has ended
     */
    public PreparedCommand enter(ChildProcess child, Map<String, String> env, CommandRequest order) throws IOException {
        return program.isPresent() ? program.get().enter(child, env, order) : ShellStub.enter(child, order, transport);
    }
}
