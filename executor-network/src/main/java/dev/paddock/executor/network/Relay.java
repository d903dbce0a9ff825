package dev.paddock.executor.network;

import dev.paddock.executor.network.proxy.ProxyTarget;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Relays the connections of commands to hosts by name: the local address of an accepted connection is the fake address
 * that the command's look-up of the name returned.
 */
final class Relay implements ProxyTarget, AutoCloseable {
    /** Bounds the descriptors and the memory that commands can use up. */
    static final int MAX_CONNECTIONS = 1024;

    private static final byte[] NOTHING = {};

    private final AllowedHosts hosts;
    private final FakeAddresses addresses;
    private final RelayedConnection.Kind kind;
    private final ConnectionLog log;
    private final OpenConnections open;
    private final Set<Thread> asking = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Relay(AllowedHosts hosts, FakeAddresses addresses, Upstream upstream, ConnectionLog log) {
        this(hosts, addresses, upstream, log, MAX_CONNECTIONS);
    }

    Relay(AllowedHosts hosts, FakeAddresses addresses, Upstream upstream, ConnectionLog log, int most) {
        this.open = new OpenConnections(most);
        this.hosts = hosts;
        this.addresses = addresses;
        this.kind = new RelayedConnection.Kind(upstream, log, OptionalInt.empty());
        this.log = log;
    }

    void accepted(SocketChannel inner) {
        Optional<String> host = Optional.empty();
        int port = 0;
        try {
            if (inner.getLocalAddress() instanceof InetSocketAddress local) {
                host = addresses
                        .host(local.getAddress())
                        .filter(name -> !name.equals(FakeAddresses.LOCALHOST)
                                || hosts.rule(name).isPresent());
                port = local.getPort();
            }
        } catch (IOException ended) {
            // The command has closed it already.
            Accepting.LOG.log(System.Logger.Level.TRACE, "A connection has ended at once", ended);
        }
        if (host.isEmpty()) {
            reset(inner);
        } else {
            accepted(inner, host.get(), port, NOTHING);
        }
    }

    private void accepted(SocketChannel inner, String host, int port, byte[] read) {
        Optional<AllowedHosts.Grant> grant = hosts.grant(host, port);
        if (grant.isEmpty() && !hosts.canAskAbout(host, port)) {
            deny(inner, host, port, "its port is not allowed");
        } else if (!open.admit()) {
            deny(inner, host, port, "more than " + open.most() + " connections are open");
        } else if (grant.isPresent()) {
            open.start(new RelayedConnection(inner, read, grant.get(), kind));
        } else {
            ask(inner, host, port, read);
        }
    }

    @Override
    public boolean allows(String host, int port) {
        boolean isAllowed = hosts.grant(host, port).isPresent() || hosts.canAskAbout(host, port);
        if (!isAllowed) {
            log.denied(
                    host,
                    OptionalInt.of(port),
                    hosts.rule(host).isPresent() ? "its port is not allowed" : "not allowed");
        }
        return isAllowed;
    }

    @Override
    public void begin(SocketChannel inner, String host, int port, byte[] read) {
        accepted(inner, host, port, read);
    }

    @Override
    public void abort(SocketChannel inner) {
        reset(inner);
    }

    private void deny(SocketChannel inner, String host, int port, String reason) {
        log.denied(host, OptionalInt.of(port), reason);
        reset(inner);
    }

    /** Asks whether to make the connection, which may wait; the connection keeps its permit meanwhile. */
    private void ask(SocketChannel inner, String host, int port, byte[] read) {
        Thread thread = DaemonThreads.virtual("paddock-ask").unstarted(() -> {
            Optional<AllowedHosts.Grant> grant = Optional.empty();
            String reason = "not allowed, and the approver has denied it";
            try {
                grant = hosts.ask(host, port);
            } catch (InterruptedException ended) {
                reason = "the executor was disposed of";
            } catch (RuntimeException fault) {
                Accepting.LOG.log(System.Logger.Level.WARNING, "The approver of hosts failed", fault);
                reason = "not allowed, and the approver failed: " + fault;
            } finally {
                asking.remove(Thread.currentThread());
            }
            if (grant.isPresent()) {
                open.start(new RelayedConnection(inner, read, grant.get(), kind));
            } else {
                deny(inner, host, port, reason);
                open.release();
            }
        });
        asking.add(thread);
        thread.start();
        if (closed) {
            thread.interrupt();
        }
    }

    /** Ends all connections, including those that are still being accepted. */
    @Override
    public void close() {
        closed = true;
        asking.forEach(Thread::interrupt);
        open.close();
    }

    static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException fault) {
            Accepting.LOG.log(System.Logger.Level.DEBUG, "A connection could not be closed", fault);
        }
    }

    /** Closes a connection so that its other side sees an error instead of an end. */
    static void reset(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException ended) {
            Accepting.LOG.log(System.Logger.Level.TRACE, "A connection has ended already", ended);
        }
        closeQuietly(channel);
    }
}
