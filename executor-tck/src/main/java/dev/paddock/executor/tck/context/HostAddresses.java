package dev.paddock.executor.tck.context;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The host's IPv4 addresses. Those of a bridge may disappear at any time, since an engine or another test may
 * remove it.
 */
public final class HostAddresses {
    private HostAddresses() {}

    /** A test at an address. */
    @FunctionalInterface
    public interface Attempt {
        void at(InetAddress address) throws Exception;
    }

    /**
     * Runs a test at the first addresses, including the loopback's. A failure at an address that the
     * host has lost meanwhile is ignored.
     */
    public static void forEach(int most, Attempt attempt) throws Exception {
        for (InetAddress address : all().stream().limit(most).toList()) {
            try {
                attempt.at(address);
            } catch (IOException | AssertionError fault) {
                if (NetworkInterface.getByInetAddress(address) != null) {
                    throw fault;
                }
            }
        }
    }

    /** Returns an externally visible address; a bridge's only if there is no other. */
    public static Optional<InetAddress> elsewhere() throws SocketException {
        return all().stream().filter(address -> !address.isLoopbackAddress()).findFirst();
    }

    /** Returns all addresses: the loopback's first, those of bridges last. */
    private static List<InetAddress> all() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .sorted(Comparator.comparing(HostAddresses::isBridge))
                .flatMap(NetworkInterface::inetAddresses)
                .filter(Inet4Address.class::isInstance)
                .sorted(Comparator.comparing(address -> !address.isLoopbackAddress()))
                .toList();
    }

    private static boolean isBridge(NetworkInterface card) {
        return Files.exists(Path.of("/sys/class/net", card.getName(), "bridge"));
    }
}
