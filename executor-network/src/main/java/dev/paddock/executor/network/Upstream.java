package dev.paddock.executor.network;

import dev.paddock.executor.net.AddressKind;
import dev.paddock.executor.network.proxy.HostProxy;
import dev.paddock.executor.os.io.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Connects to allowed hosts from the host's network: resolves a name once, checks every address, and connects to
 * exactly those. A proxy, if used, resolves and connects instead.
 */
final class Upstream implements RelayedConnection.Dialer {
    private static final int MAX_LOOKUPS = 32;

    /** The most lookups that may wait, for all executors. */
    private static final int MAX_WAITING = 8 * Relay.MAX_CONNECTIONS;

    private static final int LOOKUP_SECONDS = 10;
    private static final int CONNECT_MILLIS = 10_000;

    /** Platform threads: a lookup would block the carrier of other virtual threads. */
    private static final ThreadPoolExecutor LOOKUPS = new ThreadPoolExecutor(
            MAX_LOOKUPS,
            MAX_LOOKUPS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            DaemonThreads.platform("paddock-lookup").factory());

    static {
        LOOKUPS.allowCoreThreadTimeOut(true);
    }

    /** The addresses of the machine's loopback: a server listens on either or both. */
    private static final List<byte[]> LOOPBACK =
            List.of(new byte[] {127, 0, 0, 1}, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

    private final Optional<HostProxy> proxy;
    private final Names names;

    interface Names {
        InetAddress[] addresses(String name) throws UnknownHostException;
    }

    Upstream(Optional<HostProxy> proxy) {
        this(proxy, InetAddress::getAllByName);
    }

    Upstream(Optional<HostProxy> proxy, Names names) {
        this.proxy = proxy;
        this.names = names;
    }

    /**
     * Connects.
     *
     * @throws RefusedException if an address of the host is not allowed
     */
    @Override
    public SocketChannel dial(AllowedHosts.Grant grant, Consumer<SocketChannel> dialling) throws IOException {
        if (grant.isLoopback()) {
            return connect(loopback(), grant.port(), dialling);
        }
        Optional<HostProxy> through = proxy.filter(found -> !found.isDirect(grant.host()));
        return through.isPresent()
                ? through.get().dial(grant.host(), grant.port(), CONNECT_MILLIS, dialling)
                : dialDirectly(grant, dialling);
    }

    private SocketChannel dialDirectly(AllowedHosts.Grant grant, Consumer<SocketChannel> dialling) throws IOException {
        InetAddress[] addresses = resolve(grant.host());
        for (InetAddress address : addresses) {
            AddressKind kind = AddressKind.fromHere(address);
            if (kind == AddressKind.SPECIAL) {
                throw new RefusedException("its address " + address.getHostAddress()
                        + " is of a special use, which no rule allows; only an open network does");
            }
            if (kind == AddressKind.PRIVATE && !grant.allowsPrivate()) {
                throw new RefusedException("its address " + address.getHostAddress()
                        + " is private, or this machine's; a rule that ends with /private allows that");
            }
        }
        return connect(addresses, grant.port(), dialling);
    }

    private static InetAddress[] loopback() throws UnknownHostException {
        InetAddress[] addresses = new InetAddress[LOOPBACK.size()];
        for (int index = 0; index < addresses.length; index++) {
            addresses[index] = InetAddress.getByAddress(LOOPBACK.get(index));
        }
        return addresses;
    }

    /** Connects to the first address that accepts. */
    private static SocketChannel connect(InetAddress[] addresses, int port, Consumer<SocketChannel> dialling)
            throws IOException {
        Optional<IOException> fault = Optional.empty();
        for (InetAddress address : addresses) {
            SocketChannel channel = SocketChannel.open();
            dialling.accept(channel);
            try {
                channel.socket().connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
                return channel;
            } catch (IOException refused) {
                channel.close();
                fault = Optional.of(refused);
            }
        }
        throw fault.orElseGet(() -> new UnknownHostException("the host has no address"));
    }

    private InetAddress[] resolve(String host) throws IOException {
        Future<InetAddress[]> lookup;
        try {
            lookup = LOOKUPS.submit(() -> names.addresses(host));
        } catch (RejectedExecutionException full) {
            throw new IOException("more than " + MAX_WAITING + " names wait to be resolved", full);
        }
        try {
            return lookup.get(LOOKUP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException fault) {
            throw new IOException("its name cannot be resolved on the host", fault.getCause());
        } catch (TimeoutException late) {
            lookup.cancel(true);
            throw new IOException("its name was not resolved within " + LOOKUP_SECONDS + " s", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("the lookup of its name was interrupted", stopped);
        }
    }
}
