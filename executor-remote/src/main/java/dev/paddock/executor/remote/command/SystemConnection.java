package dev.paddock.executor.remote.command;

import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection of an executor to the remote system in which its commands run. Thread-safe. */
public interface SystemConnection extends ChannelFactory {
    /** Returns the backend's name, for exceptions. */
    String backend();

    /**
     * Queries the remote system's manager, such as a container engine.
     *
     * @return the loss, not thrown; empty if the remote system can be used
     * @throws dev.paddock.executor.SandboxUnavailableException if its manager does not answer
     */
    Optional<SandboxLostException> lost();

    /**
     * Starts a process with a terminal as its standard streams and controlling terminal.
     *
     * @param argv the program and its arguments
     * @return the process; the caller closes it
     * @throws dev.paddock.executor.SandboxLostException if the remote system is lost
     * @throws dev.paddock.executor.SandboxUnavailableException if it cannot be reached
     */
    ShellChannel openAtTerminal(List<String> argv);

    /**
     * Runs a shell command, without a slot.
     *
     * @return its standard output, of at most {@link ShellChannel#MAX_TEXT} bytes
     * @throws SandboxLostException if the connection ends meanwhile
     */
    default String output(String command) {
        try (ShellChannel channel = open(List.of("sh", "-c", command))) {
            if (closesHalf()) {
                channel.endInput();
            }
            return channel.readText();
        } catch (IOException fault) {
            throw new SandboxLostException(backend(), "the connection has ended: " + FileFaults.reason(fault), fault);
        }
    }

    /**
     * Returns whether a terminal is resized some time after the request, independently of its input.
     *
     * @return false by default
     */
    default boolean resizesLater() {
        return false;
    }

    ExecSerializer execs();

    /**
     * Watches the remote system, without polling.
     *
     * @param onLoss receives the reason when the remote system or its connection is lost; must return quickly
     * @return closing it ends the watch
     * @throws dev.paddock.executor.SandboxUnavailableException if the remote system cannot be reached
     */
    Closeable watch(Consumer<String> onLoss);
}
