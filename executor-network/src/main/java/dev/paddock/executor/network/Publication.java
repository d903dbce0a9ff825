package dev.paddock.executor.network;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.policy.HostRule;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The published ports of one command. Thread-safe. */
public final class Publication implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int CONNECT_MILLIS = 10_000;

    /** How long to wait for an accepting thread, which makes room for a connection at most. */
    private static final Duration RELEASE = Duration.ofSeconds(1);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final InsideSockets inside;
    private final OpenConnections open;
    private final PublishedPorts.Bounds bounds;
    private final RelayedConnection.Observer observer;
    private final List<ServerSocketChannel> listeners = new CopyOnWriteArrayList<>();
    private final List<Thread> accepting = new CopyOnWriteArrayList<>();
    private final List<PublishedPort> ports = new CopyOnWriteArrayList<>();
    private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Creates a publication without ports. */
    Publication(
            InsideSockets inside,
            OpenConnections open,
            PublishedPorts.Bounds bounds,
            RelayedConnection.Observer observer) {
        this.bounds = bounds;
        this.inside = inside;
        this.open = open;
        this.observer = observer;
    }

    /** {@return the ports, each with this machine's; unmodifiable} */
    public List<PublishedPort> ports() {
        return List.copyOf(ports);
    }

    /** Listens for the connections of one port. */
    void listen(PublishedPort wanted) {
        try {
            ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
            listeners.add(listener);
            listener.bind(loopback(wanted.hostPort()), BACKLOG);
            PublishedPort published = wanted.at(listener.socket().getLocalPort());
            ports.add(published);
            Port port = new Port(published);
            accepting.add(Accepting.start(listener, port::accepted));
        } catch (BindException inUse) {
            throw new SpawnException(
                    "port " + wanted.hostPort() + " of this machine is in use: publish ':" + wanted.port()
                            + "' for a free one, or end the program that listens there",
                    inUse);
        } catch (IOException fault) {
            throw new SpawnException(
                    "port " + wanted.hostPort() + " of this machine cannot be opened (" + fault.getMessage()
                            + "): publish ':" + wanted.port() + "' for a free one",
                    fault);
        }
    }

    private static InetSocketAddress loopback(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    /** Stops accepting connections before it returns; the open ones continue. */
    public void end() {
        for (ServerSocketChannel listener : listeners) {
            try {
                listener.close();
            } catch (IOException fault) {
                Accepting.LOG.log(System.Logger.Level.DEBUG, "A published port could not be closed", fault);
            }
        }
        try {
            for (Thread thread : accepting) {
                thread.join(RELEASE);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Closes the ports. Their connections end in the background: each when all that the command sent has been relayed,
     * or after some seconds.
     */
    @Override
    public void close() {
        closed = true;
        end();
        if (!connections.isEmpty()) {
            connections.forEach(RelayedConnection::closeSoon);
            CompletableFuture.delayedExecutor(bounds.draining().toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> connections.forEach(RelayedConnection::closeNow));
        }
    }

    private final class Port {
        private final PublishedPort published;
        private final AllowedHosts.Grant grant;
        private final RelayedConnection.Kind kind;
        private final OpenConnections.Share share = open.share();
        /** Locked by the one connection that checks whether a process listens yet. */
        private final ReentrantLock asking = new ReentrantLock();

        Port(PublishedPort published) {
            this.published = published;
            grant = new AllowedHosts.Grant(
                    FakeAddresses.LOCALHOST,
                    published.port(),
                    /* allowsPrivate */ true,
                    /* isLoopback */ true,
                    new ByteAllowance(HostRule.parse(FakeAddresses.LOCALHOST + ":" + published.port())));
            kind = new RelayedConnection.Kind(
                    (unused, dialling) -> dial(dialling), observer, OptionalInt.of(published.hostPort()));
        }

        void accepted(SocketChannel client) {
            if (!share.admit()) {
                Relay.reset(client);
                observer.ended(
                        denied("port " + published.port() + " has " + share.size()
                                + " open connections, as many as are left for other ports"),
                        false);
                return;
            }
            RelayedConnection connection = new RelayedConnection(client, new byte[0], grant, kind);
            connections.add(connection);
            share.start(connection, () -> connections.remove(connection));
            if (closed) {
                connection.closeNow();
            }
        }

        private HostConnection denied(String reason) {
            HostConnection.Builder connection = HostConnection.builder(grant.host())
                    .port(grant.port())
                    .allowed(false)
                    .reason(reason);
            kind.publishedAt().ifPresent(connection::publishedAt);
            return connection.build();
        }

        /** Connects; waits for a process to listen. */
        private SocketChannel dial(Consumer<SocketChannel> dialling) throws IOException {
            Optional<SocketChannel> connected = attempt(dialling);
            return connected.isPresent() ? connected.get() : await(dialling);
        }

        private SocketChannel await(Consumer<SocketChannel> dialling) throws IOException {
            long begun = System.nanoTime();
            boolean isMine = false;
            try {
                isMine = asking.tryLock(bounds.listening().toNanos(), TimeUnit.NANOSECONDS);
                for (long pause = FIRST_PAUSE_NANOS;
                        isMine && System.nanoTime() - begun < bounds.listening().toNanos(); ) {
                    LockSupport.parkNanos(pause);
                    Optional<SocketChannel> connected = attempt(dialling);
                    if (connected.isPresent()) {
                        return connected.get();
                    }
                    pause = Math.min(2 * pause, MAX_PAUSE_NANOS);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                if (isMine) {
                    asking.unlock();
                }
            }
            throw new IOException("no process listened on port " + published.port() + " at 127.0.0.1 within "
                    + bounds.listening().toSeconds() + " s");
        }

        /** Connects; returns empty if no process listens. */
        private Optional<SocketChannel> attempt(Consumer<SocketChannel> dialling) throws IOException {
            SocketChannel channel = inside.take();
            boolean done = false;
            try {
                dialling.accept(channel);
                channel.socket().connect(loopback(published.port()), CONNECT_MILLIS);
                done = true;
                return Optional.of(channel);
            } catch (ConnectException refused) {
                return Optional.empty();
            } finally {
                if (!done) {
                    Relay.closeQuietly(channel);
                }
            }
        }
    }
}
