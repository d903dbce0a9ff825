package dev.paddock.executor.network;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Reports the names that commands look up while the network is off to the observers of their connections: a program
 * that silently retries may hide for minutes that it has no network. Runs a name server in the commands' network
 * namespace, for which no name exists. Thread-safe.
 */
public final class RefusedNames {
    private static final String REASON = "the network is off";

    /** Bounds what a command can write into the observers' records. */
    private static final int MAX_REPORTED = 256;

    private final Consumer<HostConnection> observer;
    private final Set<String> reported = new HashSet<>();
    private final NameServer names;

    private RefusedNames(Consumer<HostConnection> observer) {
        this.observer = observer;
        AllowedHosts none = new AllowedHosts(List.of());
        ConnectionLog log = new ConnectionLog(none, REASON);
        log.observe(this::report);
        names = new NameServer(new NameAnswers(none, new FakeAddresses(), log));
    }

    /**
     * Returns the reports of an executor.
     *
     * @param network the policy's
     * @param options name the observer, which receives each name once
     * @return empty if the network is not off, has no observer, or this machine cannot serve it
     */
    public static Optional<RefusedNames> of(NetworkPolicy network, ExecutorOptions options) {
        return network instanceof NetworkPolicy.Off && AllowedNetwork.obstacle().isEmpty()
                ? options.connections().map(RefusedNames::new)
                : Optional.empty();
    }

    private void report(HostConnection connection) {
        boolean isNew;
        synchronized (reported) {
            isNew = reported.size() < MAX_REPORTED && reported.add(connection.host());
        }
        if (isNew) {
            observer.accept(connection);
        }
    }

    /**
     * Starts answering in a network namespace. Where that is impossible, look-ups fail as they do without a name
     * server, and are not reported.
     *
     * @param source opens sockets in the namespace
     * @return an action that stops it
     */
    public Runnable serve(AllowedNetwork.SocketSource source) {
        CompletableFuture<DatagramChannel> opened = new CompletableFuture<>();
        try {
            Posix posix = Posix.instance().orElseThrow(() -> new IOException("the C library cannot be called"));
            int socket = source.open(plan()).getFirst();
            // The kernel queues queries meanwhile: no command waits for Java's channel.
            DaemonThreads.platform("paddock-refused-names").start(() -> answer(posix, socket, opened));
        } catch (IOException | ExecutorException refused) { // the program that opens sockets may not start
            opened.completeExceptionally(refused);
        }
        CompletableFuture<?> unused = opened.whenComplete((channel, fault) -> {
            if (fault != null) {
                Accepting.LOG.log(System.Logger.Level.DEBUG, "Look-ups of names are not reported", fault);
            }
        });
        return () -> {
            CompletableFuture<Void> unusedEnd = opened.thenAccept(Relay::closeQuietly);
        };
    }

    private static SocketPlan plan() throws IOException {
        InetSocketAddress address =
                new InetSocketAddress(InetAddress.getByAddress(NameServer.ADDRESS), NameServer.PORT);
        return new SocketPlan(Optional.empty(), List.of(new SocketPlan.Binding(/* isStream */ false, address)));
    }

    private void answer(Posix posix, int socket, CompletableFuture<DatagramChannel> opened) {
        try (DatagramChannel channel = channel(posix, socket)) {
            opened.complete(channel);
            names.answer(channel);
        } catch (IOException fault) {
            opened.completeExceptionally(fault);
        }
    }

    private static DatagramChannel channel(Posix posix, int socket) throws IOException {
        try {
            return posix.sockets().datagrams(socket);
        } finally {
            posix.descriptors().close(socket);
        }
    }
}
