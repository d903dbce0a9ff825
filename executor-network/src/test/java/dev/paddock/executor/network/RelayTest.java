package dev.paddock.executor.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.HostConnection;
import dev.paddock.executor.policy.HostRule;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how connections share a relay's permits, with a host that never ends its side. */
class RelayTest {
    private static final String NAME = "host.example";
    private static final int MOST = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Socket> sockets = new ArrayList<>();
    private final List<HostConnection> ended = new CopyOnWriteArrayList<>();
    private ServerSocket host;
    private Relay relay;

    @BeforeEach
    void open() throws Exception {
        host = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        AllowedHosts hosts = new AllowedHosts(List.of(HostRule.parse(NAME + ":" + host.getLocalPort() + "/private")));
        ConnectionLog log = new ConnectionLog(hosts);
        log.observe(ended::add);
        Upstream upstream =
                new Upstream(Optional.empty(), name -> new InetAddress[] {InetAddress.getLoopbackAddress()});
        relay = new Relay(hosts, new FakeAddresses(), upstream, log, MOST);
    }

    @AfterEach
    void close() throws Exception {
        relay.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        host.close();
    }

    /** Connects through the relay, to the host's side of it. */
    private Socket connect() throws Exception {
        try (ServerSocketChannel inner = ServerSocketChannel.open()) {
            inner.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Socket command =
                    new Socket(InetAddress.getLoopbackAddress(), inner.socket().getLocalPort());
            sockets.add(command);
            SocketChannel accepted = inner.accept();
            relay.begin(accepted, NAME, host.getLocalPort(), new byte[0]);
            return command;
        }
    }

    private Socket reached() throws Exception {
        host.setSoTimeout((int) PATIENCE.toMillis());
        Socket there = host.accept();
        sockets.add(there);
        return there;
    }

    @Test
    void oldestHalfClosedConnectionMakesRoom() throws Exception {
        Socket first = connect();
        Socket firstThere = reached();
        connect();
        Socket secondThere = reached();
        first.shutdownOutput();
        assertThat(firstThere.getInputStream().read()).isEqualTo(-1);

        Socket third = connect();
        Socket thirdThere = reached();
        third.getOutputStream().write('x');
        assertThat(thirdThere.getInputStream().read()).isEqualTo('x');
        await("the first connection has ended")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ended)
                        .singleElement()
                        .satisfies(connection ->
                                assertThat(connection.reason().orElseThrow()).contains("too many connections")));
        assertThat(secondThere.isClosed()).isFalse();
    }

    @Test
    void connectionThatIsInUseStays() throws Exception {
        connect();
        reached();
        connect();
        reached();
        Socket third = connect();
        third.setSoTimeout((int) PATIENCE.toMillis());
        int read;
        try {
            read = third.getInputStream().read();
        } catch (SocketException reset) {
            read = -1;
        }
        assertThat(read).isEqualTo(-1);
        assertThat(ended)
                .singleElement()
                .satisfies(connection ->
                        assertThat(connection.reason().orElseThrow()).contains("more than 2 connections are open"));
    }
}
