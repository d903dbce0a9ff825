package dev.paddock.executor.process.warm;

import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.variable.ShellVariables;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Launches the stub that receives a command request: a {@link NativeStub} if the machine supports
 * it, otherwise a {@link ShellStub}.
 *
 * @since 0.1
 */
public final class CommandLauncher {
    private static final int STUB_DESCRIPTOR = CommandRequest.ANSWER_DESCRIPTOR + 1;

    private final Optional<NativeStub> stub;
    private final CommandRequest.Transport transport;

    private CommandLauncher(Optional<NativeStub> stub, CommandRequest.Transport transport) {
        this.stub = stub;
        this.transport = transport;
    }

    /**
     * Creates the launcher with the fastest stub that a supervisor's processes support.
     *
     * @param supervisor starts the stubs
     * @return the launcher
     */
    public static CommandLauncher of(Supervisor supervisor) {
        return of(supervisor, STUB_DESCRIPTOR);
    }

    /**
     * Creates the same launcher for a sandbox in which the native stub's file has another descriptor number.
     *
     * @param supervisor starts the stubs
     * @param descriptor the descriptor number of the native stub's file
     * @return the launcher
     */
    public static CommandLauncher of(Supervisor supervisor, int descriptor) {
        return supervisor.sourcesDescriptors()
                ? new CommandLauncher(NativeStub.as(descriptor), CommandRequest.Transport.DESCRIPTORS)
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
     * @return a builder; the caller adds the environment and standard error. Standard input is a pipe
     */
    public LaunchSpec.Builder launch(String shell, String name) {
        return stub.map(NativeStub::launch)
                .orElseGet(() -> launchShell(shell, name))
                .stdin(SpawnOptions.Stdin.PIPE);
    }

    private LaunchSpec.Builder launchShell(String shell, String name) {
        LaunchSpec.Builder spec = LaunchSpec.builder(shell, "-c", transport.bootstrap(), name);
        if (transport == CommandRequest.Transport.DESCRIPTORS) {
            spec.descriptor(CommandRequest.REQUEST_DESCRIPTOR, new ChildDescriptor.Reads())
                    .descriptor(CommandRequest.ANSWER_DESCRIPTOR, new ChildDescriptor.Writes(true));
        }
        return spec;
    }

    /**
     * Returns whether a variable in a command request reaches the command unchanged. If not, the caller should start
     * the stub with it in its environment.
     *
     * @param name the variable's name
     * @return false if the stub is a shell, and some shell treats the variable specially
     */
    public boolean passesExactly(String name) {
        return stub.isPresent() || ShellVariables.isPlain(name);
    }

    /**
     * Makes a stub execute a command.
     *
     * @param child the stub's process
     * @param env the environment that the stub was started with
     * @param request the command request
     * @return the stub's answer; a command that it has not reported as ready has not run
     * @throws IOException if the stub has exited or sent another text; nothing has run
     * @throws dev.paddock.executor.SpawnException if the command cannot be started for a reason that no {@link
     *     CommandRequest.Answer} names
     */
    public CommandRequest.Answer execute(ChildProcess child, Map<String, String> env, CommandRequest request)
            throws IOException {
        return stub.isPresent()
                ? stub.get().execute(child, env, request)
                : ShellStub.execute(child, request, transport);
    }
}
