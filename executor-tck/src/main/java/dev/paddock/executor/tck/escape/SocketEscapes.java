package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.tck.context.HostAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attempts to reach the network and sockets. */
public interface SocketEscapes {

    @Test
    default void networkOff_tcp(Escape escape) throws Exception {
        escape.assumeClaimed(Guarantee.NETWORK_OFF);
        HostAddresses.forEach(3, address -> {
            try (ServerSocket server = new ServerSocket(0, 5, address)) {
                String[] attempt = {"tcp", address.getHostAddress(), Integer.toString(server.getLocalPort())};
                assertThat(escape.attempt(attempt).text()).startsWith("refused: ");
                assertThat(escape.attemptOutside(attempt).text()).as("outside").isEqualTo("done\n");
                acceptTheOnlyOne(server);
            }
        });
    }

    @Test
    default void networkOff_tcp6(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.NETWORK_OFF);
        try (ServerSocket server = new ServerSocket(0, 5, loopback6())) {
            String[] attempt = {"tcp6", "::1", Integer.toString(server.getLocalPort())};
            assertThat(escape.attempt(attempt).text()).startsWith("refused: ");
            assertThat(escape.attemptOutside(attempt).text()).as("outside").isEqualTo("done\n");
            acceptTheOnlyOne(server);
        } catch (SocketException noIpv6) {
            assumeTrue(false, "this machine has no IPv6: " + noIpv6.getMessage());
        }
    }

    @Test
    default void networkOff_udp(Escape escape) throws Exception {
        escape.assumeClaimed(Guarantee.NETWORK_OFF);
        HostAddresses.forEach(3, address -> {
            try (DatagramSocket receiver = new DatagramSocket(0, address);
                    DatagramSocket sender = new DatagramSocket()) {
                String[] attempt = {"udp", address.getHostAddress(), Integer.toString(receiver.getLocalPort())};
                escape.attempt(attempt);
                // A datagram that had arrived would be received before this one.
                byte[] mark = "the mark".getBytes(StandardCharsets.UTF_8);
                sender.send(new DatagramPacket(mark, mark.length, address, receiver.getLocalPort()));
                assertThat(receive(receiver)).isEqualTo("the mark");
                assertThat(escape.attemptOutside(attempt).text()).isEqualTo("done\n");
                assertThat(receive(receiver)).isEqualTo("from inside");
            }
        });
    }

    /**
     * Raw IPv4 and IPv6 sockets, used for echo requests. Root may open them
     * outside the sandbox.
     */
    @ParameterizedTest
    @ValueSource(strings = {"2 3 1", "10 3 58"})
    default void networkOff_icmp(String socket, Escape escape) {
        escape.assumeClaimed(Guarantee.NETWORK_OFF);
        assertThat(escape.attempt("socket", socket).text()).startsWith("refused: ");
        if (escape.runOutside("id -u").text().equals("0\n")) {
            assertThat(escape.attemptOutside("socket", socket).text()).isEqualTo("done\n");
        }
    }

    @Test
    default void unixSocketsWithPathCannotBeConnectedTo(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.UNIX_SOCKETS_OFF);
        Path path = escape.outside("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(path));
            assertThat(escape.attempt("unix", path.toString()).text()).startsWith("refused: ");
            assertThat(escape.attempt("retarget", path.toString()).text()).startsWith("refused: ");
            assertThat(escape.attemptOutside("unix", path.toString()).text())
                    .as("outside")
                    .isEqualTo("done\n");
        }
    }

    @Test
    default void abstractUnixSocketsCannotBeConnectedTo(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.UNIX_SOCKETS_OFF);
        String name = "paddock-escape-" + UUID.randomUUID();
        assumeTrue(escape.runOutside("command -v perl").succeeded(), "this host has no perl");
        Process server = escape.startOutside("perl", "escape.pl", "listen", name);
        BufferedReader output = server.inputReader(StandardCharsets.UTF_8);
        assertThat(output.readLine()).isEqualTo("up");
        assertThat(escape.attempt("abstract", name).text()).startsWith("refused: ");
        assertThat(escape.attemptOutside("abstract", name).text()).as("outside").isEqualTo("done\n");
        server.getOutputStream().close();
        assertThat(output.lines()).containsExactly("connected", "done");
    }

    /**
     * Only a connected pair cannot reach another process. SOCK_RAW is a datagram socket by another
     * name.
     */
    @Test
    default void datagramPairsAreRefused(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        for (String type : List.of("2", "3")) {
            assertThat(escape.attempt("socketpair", type).text())
                    .as("type " + type)
                    .isEqualTo("refused: 1\n");
            assertThat(escape.attemptOutside("socketpair", type).text()).isEqualTo("done\n");
        }
        assertThat(escape.attempt("socketpair", "1").text()).as("a stream pair").isEqualTo("done\n");
    }

    /**
     * Netlink (uevents, audit, netfilter), packet, vsock, Bluetooth, algorithms, XDP. Unix sockets
     * are excluded: if no host socket is reachable, as in a container, programs may use
     * them among themselves.
     */
    @ParameterizedTest
    @ValueSource(strings = {"16 3 15", "16 3 9", "16 3 12", "17 3 0", "40 1 0", "31 3 1", "38 5 0", "44 3 0"})
    default void noOtherFamily(String socket, Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.attempt("socket", socket).text()).startsWith("refused: ");
    }

    private static InetAddress loopback6() throws IOException {
        byte[] address = new byte[16];
        address[15] = 1;
        return InetAddress.getByAddress(address);
    }

    private static void acceptTheOnlyOne(ServerSocket server) throws IOException {
        server.setSoTimeout(10_000);
        try (Socket expected = server.accept()) {
            assertThat(expected.isConnected()).isTrue();
        }
        server.setSoTimeout(1);
        try (Socket unexpected = server.accept()) {
            throw new AssertionError("more than one connection arrived: " + unexpected);
        } catch (java.net.SocketTimeoutException none) {
            assertThat(none).isNotNull();
        }
    }

    private static String receive(DatagramSocket receiver) throws IOException {
        receiver.setSoTimeout(10_000);
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        receiver.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
    }
}
