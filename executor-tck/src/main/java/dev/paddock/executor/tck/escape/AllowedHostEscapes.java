package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.tck.context.HostAddresses;
import dev.paddock.executor.tck.subject.HostNames;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Attempts to reach a host other than the one in the policy. */
public interface AllowedHostEscapes {
    /** Fetches a server's greeting: HOST PORT. */
    String FETCH = "use Socket; my ($h, $p) = @ARGV; my $a = inet_aton($h) or die \"no such name\\n\";"
            + " socket(S, PF_INET, SOCK_STREAM, 0) or die $!; alarm 20;"
            + " connect(S, pack_sockaddr_in($p, $a)) or die \"$!\\n\"; print <S>";

    /** Connects and sends in one call, which some filters miss: HOST PORT. */
    String FAST_OPEN = "use Socket; my ($h, $p) = @ARGV; socket(S, PF_INET, SOCK_STREAM, 0) or die $!; alarm 20;"
            + " defined send(S, 'x', 0x20000000, pack_sockaddr_in($p, inet_aton($h))) or die \"$!\\n\"; print <S>";

    /** Connects over IPv6 to an IPv4 address: HOST PORT. */
    String MAPPED = "use Socket qw(:all); my ($h, $p) = @ARGV; socket(S, PF_INET6, SOCK_STREAM, 0) or die $!; alarm 20;"
            + " connect(S, pack_sockaddr_in6($p, inet_pton(AF_INET6, \"::ffff:$h\"))) or die \"$!\\n\"; print <S>";

    /** Asks a name server of the caller's choice: HOST PORT. */
    String TUNNEL = "use Socket; my ($h, $p) = @ARGV; socket(S, PF_INET, SOCK_DGRAM, 0) or die $!;"
            + " send(S, 'secret', 0, pack_sockaddr_in($p, inet_aton($h)))";

    /** Takes the ports of the relay and of the name server: PORT. */
    String TAKE = "use Socket; my @all = ([SOCK_STREAM, '0.0.0.0', $ARGV[0]], [SOCK_STREAM, '198.18.0.2', $ARGV[0]],"
            + " [SOCK_DGRAM, '127.83.0.53', 53], [SOCK_DGRAM, '0.0.0.0', 53], [SOCK_STREAM, '127.83.0.53', 53]);"
            + " for (@all) { my ($type, $address, $port) = @$_; socket(S, PF_INET, $type, 0) or die $!;"
            + " setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1); setsockopt(S, SOL_SOCKET, 15, 1);"
            + " print \"taken: $address $port\\n\" if bind(S, pack_sockaddr_in($port, inet_aton($address)))"
            + " && ($type == SOCK_DGRAM || listen(S, 5)) }";

    /** Opens raw sockets and sockets of packets. */
    String RAW = "for ([2, 3, 1], [2, 3, 255], [17, 3, 768], [17, 2, 768], [10, 3, 58])"
            + " { print \"opened: @$_\\n\" if socket(S, $$_[0], $$_[1], $$_[2]) }";

    @Test
    default void allowedHosts_noOtherIsReached(Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.NETWORK_ALLOWED_HOSTS);
        InetAddress first = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        InetAddress second = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        try (ServerSocket allowed = new ServerSocket(0, 50, first);
                ServerSocket other = new ServerSocket(allowed.getLocalPort(), 50, second);
                DatagramSocket names = new DatagramSocket(allowed.getLocalPort(), second)) {
            Thread.ofPlatform().daemon().start(() -> greet(allowed, "hello"));
            int port = allowed.getLocalPort();
            String name = HostNames.require().give("escape", "127.0.0.1");
            String denied = HostNames.require().give("escapeother", "127.0.0.2");
            assertReachable(other, names);
            NetworkPolicy policy = NetworkPolicy.allow(name + ":" + port + "/private");
            try (CommandExecutor executor =
                    escape.with(escape.policy().network(policy).build())) {
                assumeTrue(perl(escape, executor, "print 1").equals("1"), "there is no perl for commands");
                assertThat(perl(escape, executor, FETCH, name, port)).isEqualTo("hello");
                for (String host : List.of(
                        "127.0.0.2",
                        "2130706434",
                        "0x7f000002",
                        "127.2",
                        denied,
                        name + ".",
                        "198.18.77.77",
                        "198.18.0.1",
                        denied + "." + name,
                        own())) {
                    String seen = perl(escape, executor, FETCH, host, port);
                    assertThat(seen).as(host).doesNotContain("other").isIn("", host.equals(name + ".") ? "hello" : "");
                }
                perl(escape, executor, FAST_OPEN, "127.0.0.2", port);
                perl(escape, executor, MAPPED, "127.0.0.2", port);
                perl(escape, executor, TUNNEL, "127.0.0.2", port);
                assertThat(perl(escape, executor, TAKE, port)).isEmpty();
                assertThat(perl(escape, executor, RAW)).isEmpty();
                assertUnreached(other, names);
                assertThat(perl(escape, executor, FETCH, name, port))
                        .as("afterwards")
                        .isEqualTo("hello");
            }
        }
    }

    private static String perl(Escape escape, CommandExecutor executor, String script, Object... arguments) {
        String words = List.of(arguments).stream()
                .map(word -> " " + ShellQuoting.posix(String.valueOf(word)))
                .collect(Collectors.joining());
        return escape.run(executor, "perl -e " + ShellQuoting.posix(script) + words + " 2>/dev/null", Map.of())
                .text();
    }

    /** Returns an externally visible address of this machine; the loopback address if there is none. */
    private static String own() throws IOException {
        return HostAddresses.elsewhere().map(InetAddress::getHostAddress).orElse("127.0.0.3");
    }

    private static void greet(ServerSocket server, String text) {
        while (!server.isClosed()) {
            try (Socket client = server.accept()) {
                client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** The positive control: this JVM reaches what commands must not. */
    private static void assertReachable(ServerSocket other, DatagramSocket names) throws IOException {
        new Socket(other.getInetAddress(), other.getLocalPort()).close();
        other.accept().close();
        try (DatagramSocket sender = new DatagramSocket()) {
            byte[] query = {1};
            sender.send(new DatagramPacket(query, 1, names.getLocalAddress(), names.getLocalPort()));
        }
        names.setSoTimeout(30_000);
        names.receive(new DatagramPacket(new byte[8], 8));
    }

    private static void assertUnreached(ServerSocket other, DatagramSocket names) throws IOException {
        other.setSoTimeout(200);
        names.setSoTimeout(200);
        assertThatThrownBy(other::accept).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> names.receive(new DatagramPacket(new byte[8], 8)))
                .isInstanceOf(SocketTimeoutException.class);
    }
}
