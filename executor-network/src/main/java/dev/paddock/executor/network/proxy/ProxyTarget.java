package dev.paddock.executor.network.proxy;

import java.nio.channels.SocketChannel;

/** Decides about and makes the connections that programs ask a proxy for. */
public interface ProxyTarget {
    /**
     * Returns whether a connection can be made, and records a denial.
     *
     * @param host the host, canonical
     * @return whether a rule or an approver may allow it
     */
    boolean allows(String host, int port);

    /**
     * Takes over a program's connection and relays it to a host.
     *
     * @param inner the program's connection
     * @param host the host, canonical
     * @param read bytes for the host that were read already
     */
    void begin(SocketChannel inner, String host, int port, byte[] read);

    /**
     * Closes a program's connection so that the program sees an error instead of an end.
     *
     * @param inner the connection
     */
    void abort(SocketChannel inner);
}
