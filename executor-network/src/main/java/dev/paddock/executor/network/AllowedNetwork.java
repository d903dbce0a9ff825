package dev.paddock.executor.network;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.network.proxy.HostProxy;
import dev.paddock.executor.network.proxy.OfferedProxy;
import dev.paddock.executor.os.posix.NativeObstacle;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Sockets;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.process.warm.ForeignSockets;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Serves the network of allowed hosts in an executor's network namespace, which has nothing but the loopback: a name
 * server, and a listener for each port of a rule. Where sandboxes have no namespace, it serves a proxy on one port of
 * the machine's loopback instead.
 *
 * <p>The name server gives each allowed name an address of its loopback interface. A connection to that address ends at
 * the JVM, which connects to the host by its name from the host's network and relays the bytes unchanged. No other name
 * exists, and no other address can be reached.
 *
 * <p>Thread-safe. Closing it ends every connection.
 */
public final class AllowedNetwork implements AutoCloseable {
    private static final byte[] ANY = {0, 0, 0, 0};
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final int BACKLOG = 1024;

    private final AllowedHosts hosts;
    private final FakeAddresses addresses;
    private final ConnectionLog log;
    private final NameServer names;
    private final Relay relay;
    private final Optional<OfferedProxy> offered;
    private final List<NetworkChannel> proxies = new CopyOnWriteArrayList<>();

    /**
     * Creates the network of a policy, without serving it.
     *
     * @param policy the allowed hosts
     * @throws IllegalArgumentException if it needs the host's proxy, and there is none: {@link HostProxy#obstacle}
     */
    public AllowedNetwork(NetworkPolicy.Allow policy) {
        hosts = new AllowedHosts(policy.rules());
        addresses = new FakeAddresses();
        log = new ConnectionLog(hosts);
        names = new NameServer(new NameAnswers(hosts, addresses, log));
        Optional<HostProxy> proxy =
                policy.isThroughHostProxy() ? Optional.of(HostProxy.ofEnvironment()) : Optional.empty();
        relay = new Relay(hosts, addresses, new Upstream(proxy), log);
        offered = policy.offersProxy() ? Optional.of(new OfferedProxy(relay, hosts.text())) : Optional.empty();
    }

    /** Opens sockets in a network namespace. */
    @FunctionalInterface
    public interface SocketSource {
        /**
         * Opens sockets, binds them and assigns the loopback address.
         *
         * @param plan the sockets
         * @return their descriptors, in the plan's order; the caller closes them
         * @throws IOException if they cannot be opened
         */
        List<Integer> open(SocketPlan plan) throws IOException;
    }

    /**
     * Returns why this machine cannot serve a network of allowed hosts.
     *
     * @return the reason; empty if no obstacle is known
     */
    public static Optional<String> obstacle() {
        if (Posix.instance().isEmpty()) {
            return Optional.of(Posix.obstacle().map(NativeObstacle::reason).orElse("the C library cannot be called"));
        }
        return ForeignSockets.areSupported()
                ? Optional.empty()
                : Optional.of("the kernel does not execute the anonymous file that opens the sockets");
    }

    /** {@return the content of the commands' {@code /etc/resolv.conf}} */
    public static String resolverConfiguration() {
        return "nameserver " + nameServer() + "\noptions timeout:2 attempts:2\n";
    }

    /** {@return the IPv4 address of the name server} */
    public static String nameServer() {
        byte[] address = NameServer.ADDRESS;
        return address[0] + "." + address[1] + "." + address[2] + "." + address[3];
    }

    /**
     * Starts serving a network namespace. Call it before a command runs there, which could take the ports.
     *
     * @param source opens sockets in the namespace
     * @return an action that stops serving it; open connections continue
     * @throws IOException if the sockets cannot be opened or bound; the message gives the reason
     */
    public Runnable serve(SocketSource source) throws IOException {
        Posix posix = Posix.instance().orElseThrow(() -> new IOException("the C library cannot be called"));
        List<Integer> opened = source.open(plan());
        List<NetworkChannel> channels = new ArrayList<>();
        boolean done = false;
        try {
            serve(posix.sockets(), opened, channels);
            done = true;
        } finally {
            opened.forEach(posix.descriptors()::close);
            if (!done) {
                close(channels);
            }
        }
        return () -> close(channels);
    }

    /**
     * Starts a proxy on a port of the machine's loopback, for sandboxes that reach that port alone. Other programs of
     * the machine can use it as well, for the same hosts. Closed with this network.
     *
     * @return its address
     * @throws IOException if no port can be opened
     */
    public InetSocketAddress serveProxy() throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.INET);
        proxies.add(listener);
        listener.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0), BACKLOG);
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getByAddress(LOOPBACK), listener.socket().getLocalPort());
        Accepting.start(listener, new OfferedProxy(relay, hosts.text())::accepted);
        return address;
    }

    /** Returns whether this network listens on a port of {@code 127.0.0.1}, so that commands cannot. */
    private boolean takes(int port) {
        return hosts.portsOfHosts().contains(port)
                || hosts.grant(FakeAddresses.LOCALHOST, port).isPresent();
    }

    /**
     * Refuses published ports that a network of allowed hosts occupies.
     *
     * @param name the executor's name, for the message
     * @param options the options of a command
     * @throws dev.paddock.executor.SpawnException if there is one
     */
    public void requireFree(String name, SpawnOptions options) {
        for (PublishedPort port : options.published()) {
            if (takes(port.port())) {
                options.refusePublishing(
                        name,
                        "the network's rules take port " + port.port() + " of the commands' localhost (" + hosts.text()
                                + "); let the command listen on another one");
            }
        }
    }

    /**
     * Returns the sockets: the name server's for UDP and TCP, one for each port, and a proxy's. A port that only a
     * loopback rule names is bound at its one address; commands can use it at the others.
     */
    private SocketPlan plan() throws IOException {
        InetSocketAddress names = new InetSocketAddress(InetAddress.getByAddress(NameServer.ADDRESS), NameServer.PORT);
        List<SocketPlan.Binding> bindings =
                new ArrayList<>(List.of(new SocketPlan.Binding(false, names), new SocketPlan.Binding(true, names)));
        InetAddress any = InetAddress.getByAddress(ANY);
        SortedSet<Integer> ports = hosts.portsOfHosts();
        ports.forEach(port -> bindings.add(new SocketPlan.Binding(true, new InetSocketAddress(any, port))));
        Set<InetSocketAddress> own = new LinkedHashSet<>();
        for (HostRule rule : hosts.loopback()) {
            InetAddress address = InetAddress.getByAddress(
                    addresses.of(rule.domain(), rule).orElseThrow(() -> new IOException("no address is left")));
            rule.ports().stream()
                    .filter(port -> !ports.contains(port))
                    .forEach(port -> own.add(new InetSocketAddress(address, port)));
        }
        own.forEach(name -> bindings.add(new SocketPlan.Binding(true, name)));
        if (offered.isPresent()) {
            bindings.add(new SocketPlan.Binding(true, new InetSocketAddress(names.getAddress(), OfferedProxy.PORT)));
        }
        SocketPlan.Alias alias = new SocketPlan.Alias(
                "lo:1", InetAddress.getByAddress(FakeAddresses.OWN), InetAddress.getByAddress(FakeAddresses.MASK));
        return new SocketPlan(Optional.of(alias), bindings);
    }

    private void serve(Sockets sockets, List<Integer> opened, List<NetworkChannel> channels) throws IOException {
        DatagramChannel datagrams = sockets.datagrams(opened.get(0));
        channels.add(datagrams);
        List<ServerSocketChannel> listeners = new ArrayList<>();
        for (int socket : opened.subList(1, opened.size())) {
            sockets.listen(socket, BACKLOG);
            ServerSocketChannel listener = sockets.server(socket);
            channels.add(listener);
            listeners.add(listener);
        }
        names.serve(datagrams, listeners.remove(0));
        offered.ifPresent(proxy -> Accepting.start(listeners.remove(listeners.size() - 1), proxy::accepted));
        listeners.forEach(listener -> Accepting.start(listener, relay::accepted));
    }

    private static void close(List<NetworkChannel> channels) {
        for (NetworkChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException fault) {
                Accepting.LOG.log(System.Logger.Level.DEBUG, "A socket could not be closed", fault);
            }
        }
    }

    /** Registers the observers and the approver of an executor. */
    public void register(ExecutorOptions options) {
        options.connections().ifPresent(log::observe);
        options.hostApprover().ifPresent(hosts::approveHosts);
    }

    /**
     * Starts recording which hosts are denied, and which allowed ones cannot be reached.
     *
     * @return called at a command's end, returns a sentence for its result; none if there are no such hosts
     */
    public Supplier<List<String>> observe() {
        long mark = log.mark();
        return () -> log.since(mark);
    }

    @Override
    public void close() {
        close(proxies);
        relay.close();
    }
}
