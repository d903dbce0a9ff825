package dev.paddock.executor.network;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Publishes ports of an executor's commands: listens only at this machine's {@code 127.0.0.1}, and relays each
 * connection into the commands' network namespace.
 *
 * <p>Thread-safe. Closing it ends every connection.
 */
public final class PublishedPorts implements AutoCloseable {
    /** Bounds the descriptors and the memory that programs of this machine can use up. One port may have half, 256. */
    static final int MAX_CONNECTIONS = 512;

    /**
     * Time limits.
     *
     * @param listening how long a connection waits for a process to listen
     * @param draining how long the last bytes of an ended command may take to reach a slow reader
     */
    record Bounds(Duration listening, Duration draining) {
        static final Bounds STANDARD = new Bounds(Duration.ofSeconds(10), Duration.ofSeconds(5));
    }

    private final OpenConnections open;
    private final Bounds bounds;
    private final List<Consumer<HostConnection>> observers = new CopyOnWriteArrayList<>();

    /** Creates the ports of an executor; none is published yet. */
    public PublishedPorts() {
        this(MAX_CONNECTIONS, Bounds.STANDARD);
    }

    PublishedPorts(int most, Bounds bounds) {
        this.open = new OpenConnections(most);
        this.bounds = bounds;
    }

    /**
     * Refuses options that publish a port where commands have this machine's network, or none.
     *
     * @param name the executor's name, for the message
     * @param network what the policy allows
     * @param options options that publish a port
     * @throws SpawnException always
     */
    public static void refuse(String name, NetworkPolicy network, SpawnOptions options) {
        if (!(network instanceof NetworkPolicy.Open)) {
            options.refusePublishing(
                    name,
                    "its commands have no network while it is off; take bwrap or docker, or open the network: a port"
                            + " that they listen on is then reachable at 127.0.0.1 anyway");
        }
        options.refusePublishing(name);
    }

    /**
     * Publishes the ports of a command that is about to start.
     *
     * @param inside connects in the namespace
     * @return the publication; the caller closes it
     * @throws SpawnException if a port of this machine is in use, or no socket can be opened in the namespace
     */
    public Publication publish(InsideSockets inside, List<PublishedPort> ports) {
        try {
            inside.prepare();
        } catch (IOException fault) {
            throw new SpawnException(
                    "port " + ports.get(0).port() + " cannot be published: " + fault.getMessage(), fault);
        }
        Publication publication = new Publication(inside, open, bounds, this::report);
        boolean done = false;
        try {
            ports.forEach(publication::listen);
            done = true;
            return publication;
        } finally {
            if (!done) {
                publication.close();
            }
        }
    }

    private void report(HostConnection connection, boolean reached) {
        Accepting.LOG.log(System.Logger.Level.DEBUG, () -> "A connection to a published port has ended: " + connection);
        observers.forEach(observer -> observer.accept(connection));
    }

    /**
     * Registers observers of the connections to published ports.
     *
     * @param options the executor's options
     */
    public void register(ExecutorOptions options) {
        options.connections().ifPresent(observers::add);
    }

    @Override
    public void close() {
        open.close();
    }
}
