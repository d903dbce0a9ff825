package dev.paddock.executor.tck.conformance;

import dev.paddock.executor.tck.context.HostAddresses;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Servers on the host: on loopback and all its other addresses, and on unix sockets with a path and
 * abstract ones.
 */
final class Listeners implements AutoCloseable {
    private static final String LISTEN =
            "socket(S, PF_UNIX, SOCK_STREAM, 0) && bind(S, pack(\"S\", AF_UNIX) . \"\\0\" . $ARGV[0])"
                    + " && listen(S, 50) or die \"$!\"; $| = 1; print \"up\\n\"; <STDIN>";

    private final ServerSocket tcp;
    private final DatagramSocket udp;
    private final ServerSocketChannel unix;
    private final Process nameless;
    private final Path path;
    private final String name;

    private Listeners(Path path) throws IOException {
        this.path = path;
        name = "conformance-" + UUID.randomUUID();
        tcp = new ServerSocket(0, 50);
        udp = new DatagramSocket(0);
        unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path), 50);
        nameless = new ProcessBuilder("perl", "-MSocket", "-e", LISTEN, name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    static Listeners open(Path socket) throws IOException {
        boolean hasPerl = new ProcessBuilder("sh", "-c", "command -v perl >/dev/null")
                        .start()
                        .onExit()
                        .join()
                        .exitValue()
                == 0;
        Prerequisite.require(hasPerl, "this host has no perl");
        Listeners opened = new Listeners(socket);
        BufferedReader output = opened.nameless.inputReader(StandardCharsets.UTF_8);
        if (!"up".equals(output.readLine())) {
            opened.close();
            throw new IOException("nothing listens at an abstract address");
        }
        return opened;
    }

    String tcpOnLoopback() {
        return "127.0.0.1:" + tcp.getLocalPort();
    }

    /** Returns an address that is reachable from other machines; empty if the host has none. */
    Optional<String> tcpElsewhere() throws IOException {
        return HostAddresses.elsewhere().map(address -> address.getHostAddress() + ":" + tcp.getLocalPort());
    }

    String udpOnLoopback() {
        return "127.0.0.1:" + udp.getLocalPort();
    }

    Path unixPath() {
        return path;
    }

    String abstractName() {
        return name;
    }

    /** Returns whether a command's datagram has arrived since the last call. */
    boolean hasReceived() throws IOException {
        // A datagram that had arrived would be received before this one.
        byte[] mark = "the mark".getBytes(StandardCharsets.UTF_8);
        udp.setSoTimeout(10_000);
        InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        try (DatagramSocket sender = new DatagramSocket()) {
            sender.send(new DatagramPacket(mark, mark.length, loopback, udp.getLocalPort()));
        }
        boolean arrived = false;
        while (true) {
            DatagramPacket packet = new DatagramPacket(new byte[100], 100);
            udp.receive(packet);
            if (new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8).equals("the mark")) {
                return arrived;
            }
            arrived = true;
        }
    }

    @Override
    public void close() throws IOException {
        tcp.close();
        udp.close();
        unix.close();
        nameless.destroyForcibly().onExit().join();
    }
}
