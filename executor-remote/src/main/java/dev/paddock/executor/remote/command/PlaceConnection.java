package dev.paddock.executor.remote.command;

import dev.paddock.executor.remote.ChannelFactory;
import dev.paddock.executor.remote.PlaceState;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.shell.ExecSerializer;
import java.io.Closeable;
import java.util.List;
import java.util.function.Consumer;

/** The connection of an executor to the place in which its commands run. Thread-safe. */
public interface PlaceConnection extends ChannelFactory, PlaceState {
    /** Returns the backend's name, which the exceptions carry. */
    String backend();

    /**
     * Starts a process that has a terminal: its standard streams, and its controlling terminal.
     *
     * @param argv the program and its arguments
     * @return the process; the caller closes it
     * @throws dev.paddock.executor.SandboxLostException if the place is lost
     * @throws dev.paddock.executor.SandboxUnavailableException if it cannot be reached
     */
    ShellChannel openAtTerminal(List<String> argv);

    /**
     * Returns whether a terminal gets its size some time after it was asked for, beside what is written to it.
     *
     * @return false by default
     */
    default boolean resizesLater() {
        return false;
    }

    /** Returns the serializer of process starts in the place. */
    ExecSerializer execs();

    /**
     * Watches the place, without polling.
     *
     * @param onLoss receives the reason when the place or the connection to it is lost; must return
     *     quickly
     * @return ends the watch
     * @throws dev.paddock.executor.SandboxUnavailableException if the remote system cannot be reached
     */
    Closeable watch(Consumer<String> onLoss);
}
