package dev.paddock.executor.tck.guarantees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.context.ContractContext;
import dev.paddock.executor.tck.context.HostAddresses;
import dev.paddock.executor.tck.context.Running;
import dev.paddock.executor.tck.context.SocketCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The guarantees about the network and unix sockets. This JVM can reach every server that must be
 * unreachable for commands.
 */
public interface NetworkContract {

    @Test
    default void G_NETWORK_OFF_reachesNoTcp(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.NETWORK_OFF);
        SocketCommands sockets = SocketCommands.of(context);
        HostAddresses.forEach(Integer.MAX_VALUE, address -> {
            try (ServerSocket server = new ServerSocket(0, 5, address)) {
                assertThat(SocketCommands.canConnect(address, server.getLocalPort()))
                        .as("whether this JVM reaches %s", address)
                        .isTrue();
                server.accept().close();
                Running command = context.start(sockets.fetch(address.getHostAddress(), server.getLocalPort()));
                assertThat(reaches(command, server))
                        .as("whether a command reached the host at %s", address)
                        .isFalse();
            }
        });
    }

    /** After the command's end, checks again for a connection left in the queue. */
    private static boolean reaches(Running command, ServerSocket server) throws IOException {
        server.setSoTimeout(100);
        while (!command.hasExited()) {
            if (accepts(server)) {
                return true;
            }
        }
        return accepts(server);
    }

    private static boolean accepts(ServerSocket server) throws IOException {
        try {
            server.accept().close();
            return true;
        } catch (SocketTimeoutException nobody) {
            return false;
        }
    }

    @Test
    default void G_NETWORK_OFF_reachesNoUdp(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.NETWORK_OFF);
        context.assumeTools("perl");
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(300);
            String send = "perl -MIO::Socket::INET -e "
                    + ShellQuoting.posix("$s = IO::Socket::INET->new(Proto => 'udp', "
                            + "PeerAddr => '127.0.0.1', PeerPort => " + socket.getLocalPort() + ") and $s->send('x')");
            runOnHost("sh", "-c", send);
            assertThat(receives(socket))
                    .as("whether the host's own datagram arrives")
                    .isTrue();
            context.run(send);
            assertThat(receives(socket))
                    .as("whether a command's datagram reached the host")
                    .isFalse();
        }
    }

    private static boolean receives(DatagramSocket socket) throws IOException {
        try {
            socket.receive(new DatagramPacket(new byte[16], 16));
            return true;
        } catch (SocketTimeoutException nothing) {
            return false;
        }
    }

    private static void runOnHost(String... line) throws IOException {
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.onExit().join();
    }

    @Test
    default void G_UNIX_SOCKETS_OFF_reachesNoneOutsideGrant(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.UNIX_SOCKETS_OFF);
        context.assumeTools("perl");
        for (Path place :
                List.of(context.environment().sharedDirectory().resolve("..").normalize(), Path.of("/var/tmp"))) {
            Path file = place.resolve("contract-" + UUID.randomUUID());
            UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
            try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(address);
                try (SocketChannel own = SocketChannel.open(address)) {
                    assertThat(own.isConnected())
                            .as("whether this JVM reaches %s", file)
                            .isTrue();
                }
                assertThat(context.run(connectUnix(file.toString())).out())
                        .as("a command that connects to %s", file)
                        .doesNotContain("connected");
            } finally {
                Files.deleteIfExists(file);
            }
        }
    }

    @Test
    default void G_UNIX_SOCKETS_OFF_reachesNoAbstractOne(ContractContext context) throws Exception {
        context.assumeClaimed(Guarantee.UNIX_SOCKETS_OFF);
        context.assumeTools("perl");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "the host has no perl to listen with");
        String name = "\\0contract-" + UUID.randomUUID();
        Process server = new ProcessBuilder(
                        "perl",
                        "-MSocket",
                        "-e",
                        "socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un(\"" + name
                                + "\")) or die; listen(S, 5); $| = 1; print \"up\\n\"; accept(C, S) while 1")
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(output.readLine()).isEqualTo("up");
            Process control = new ProcessBuilder("sh", "-c", connectUnix(name)).start();
            assertThat(new String(control.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .as("a program of the host that connects to it")
                    .contains("connected");
            assertThat(context.run(connectUnix(name)).out())
                    .as("a command that connects to an abstract socket of the host's")
                    .doesNotContain("connected");
        } finally {
            server.destroyForcibly().onExit().join();
        }
    }

    private static String connectUnix(String path) {
        return "perl -MSocket -e "
                + ShellQuoting.posix("socket(S, AF_UNIX, SOCK_STREAM, 0) and connect(S, pack_sockaddr_un(\"" + path
                        + "\")) and print \"connected\\n\"");
    }
}
