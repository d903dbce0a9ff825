package dev.paddock.executor;

/**
 * Decides about the connections of commands to hosts that their network of allowed hosts does not
 * name, such as a person at a terminal: {@link ExecutorOptions#approveHosts}.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface HostApprover {
    /**
     * Decides about one connection. Called for each, several at once, by a thread of the connection,
     * which may wait: the command waits meanwhile. An exception denies it.
     *
     * @param host the host's name, in lower case, as a command has looked it up
     * @param port the port, which is one of the policy's
     * @return whether this connection is made
     * @throws InterruptedException if the thread is interrupted: the executor was disposed of
     */
    boolean allows(String host, int port) throws InterruptedException;
}
