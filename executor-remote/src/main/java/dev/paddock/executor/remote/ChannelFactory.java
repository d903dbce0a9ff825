package dev.paddock.executor.remote;

import java.util.List;

/**
 * Starts processes on a remote system.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ChannelFactory {

    /**
     * Starts a process without a terminal.
     *
     * @param argv the program and its arguments, exact to the byte
     * @return the process; the caller closes it
     * @throws dev.paddock.executor.SandboxLostException if the remote system is lost
     * @throws dev.paddock.executor.SandboxUnavailableException if it cannot be reached
     */
    ShellChannel open(List<String> argv);

    /**
     * Returns whether {@link ShellChannel#endInput} ends a process's input while its output continues. Where it cannot,
     * processes take their input in frames.
     *
     * @return true by default
     */
    default boolean closesHalf() {
        return true;
    }
}
