package dev.paddock.executor.network;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.posix.Sockets;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.warm.SocketPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests published ports with sockets of this machine's own namespace; the contract has the rest. */
@EnabledOnOs(OS.LINUX)
class PublishedPortsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MOST = 40;

    private final List<Socket> sockets = new ArrayList<>();
    private final List<HostConnection> ended = new CopyOnWriteArrayList<>();
    private final AtomicInteger batches = new AtomicInteger();
    private final InsideSockets inside = new InsideSockets(this::open);
    private final PublishedPorts ports = ports(PATIENCE);
    private ServerSocket command;
    private Publication published;

    private static PublishedPorts ports(Duration draining) {
        return new PublishedPorts(2 * MOST, new PublishedPorts.Bounds(Duration.ofSeconds(1), draining));
    }

    @BeforeEach
    void publish() throws Exception {
        SandboxPolicy policy =
                SandboxPolicy.builder(PathMapping.same(Path.of("/"))).build();
        ports.register(ExecutorOptions.of(policy).onConnection(ended::add));
        command = new ServerSocket(0, 100, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        command.setSoTimeout((int) PATIENCE.toMillis());
        published = ports.publish(inside, List.of(new PublishedPort(0, command.getLocalPort())));
    }

    @AfterEach
    void close() throws Exception {
        ports.close();
        published.close();
        inside.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        command.close();
    }

    private List<Integer> open(SocketPlan plan) throws IOException {
        batches.incrementAndGet();
        List<Integer> opened = new ArrayList<>();
        for (int index = 0; index < plan.bindings().size(); index++) {
            opened.add(Posix.instance().orElseThrow().sockets().open(Sockets.STREAM));
        }
        return opened;
    }

    private int here() {
        return published.ports().get(0).hostPort();
    }

    private Socket connect() throws Exception {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), here()), (int)
                PATIENCE.toMillis());
        return socket;
    }

    private Socket reached() throws Exception {
        Socket there = command.accept();
        there.setSoTimeout((int) PATIENCE.toMillis());
        sockets.add(there);
        return there;
    }

    @Test
    void bytesEndsAndRecordAreOfCommandsSide() throws Exception {
        Socket client = connect();
        Socket server = reached();
        client.getOutputStream().write("ask".getBytes(US_ASCII));
        client.shutdownOutput();
        assertThat(server.getInputStream().readAllBytes()).hasSize(3);
        server.getOutputStream().write("answer".getBytes(US_ASCII));
        server.close();
        assertThat(client.getInputStream().readAllBytes()).hasSize(6);
        await("the connection is reported")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ended).singleElement().satisfies(one -> {
                    assertThat(one.host()).isEqualTo("localhost");
                    assertThat(one.port()).hasValue(command.getLocalPort());
                    assertThat(one.publishedAt()).hasValue(here());
                    assertThat(one.allowed()).isTrue();
                    assertThat(one.reason()).isEmpty();
                    assertThat(one.sentBytes()).isEqualTo(6);
                    assertThat(one.receivedBytes()).isEqualTo(3);
                }));
    }

    @Test
    void observerOfRelayedConnectionsReceivesThemInOpenNetwork() throws Exception {
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        SandboxPolicy open = SandboxPolicy.builder(PathMapping.same(Path.of("/")))
                .network(NetworkPolicy.open())
                .build();
        ConnectionOptions builder = new ConnectionOptions();
        builder.addAll(ExecutorOptions.of(open).onRelayedConnection(seen::add)); // as a provider does
        builder.onRelayedConnection(seen::add);
        ports.register(builder.of(open));
        Socket client = connect();
        reached().close();
        assertThat(client.getInputStream().readAllBytes()).isEmpty();
        client.close();
        await("the connection is reported to both")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(seen)
                        .hasSize(2)
                        .allSatisfy(one -> assertThat(one.publishedAt()).hasValue(here())));
        builder.onConnection(seen::add);
        assertThatThrownBy(() -> builder.of(open))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("onConnection cannot observe the policy's network");
    }

    @Test
    void resetIsPassedOnAsOne() throws Exception {
        Socket client = connect();
        Socket server = reached();
        server.setSoLinger(true, 0);
        server.close();
        assertThatThrownBy(() -> client.getInputStream().readAllBytes()).isInstanceOf(SocketException.class);
    }

    @Test
    void moreConnectionsThanSocketsAreOpenedAtOnce() throws Exception {
        List<Socket> clients = new ArrayList<>();
        for (int number = 0; number < MOST; number++) {
            clients.add(connect());
        }
        for (int number = 0; number < MOST; number++) {
            reached().getOutputStream().write('x');
        }
        for (Socket client : clients) {
            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
        assertThat(batches).hasValueGreaterThan(1);
    }

    @Test
    void excessConnectionIsResetUnlessHalfClosedOneMakesRoom() throws Exception {
        Socket first = connect();
        Socket firstThere = reached();
        for (int number = 1; number < MOST; number++) {
            connect();
            reached();
        }
        assertIsReset(this::connect);
        await("the refusal is reported")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ended)
                        .singleElement()
                        .satisfies(one ->
                                assertThat(one.reason().orElseThrow()).contains("has " + MOST + " open connections")));
        firstThere.shutdownOutput();
        assertThat(first.getInputStream().read()).isEqualTo(-1);
        Socket next = connect();
        reached().getOutputStream().write('x');
        assertThat(next.getInputStream().read()).isEqualTo('x');
    }

    @Test
    void connectionsToOnePortCrowdOutNoOther() throws Exception {
        for (int number = 0; number < MOST; number++) {
            connect();
            reached();
        }
        assertIsReset(this::connect);
        Publication first = published;
        try (ServerSocket another = new ServerSocket(0, 100, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
                Publication second = ports.publish(inside, List.of(new PublishedPort(0, another.getLocalPort())))) {
            published = second;
            another.setSoTimeout((int) PATIENCE.toMillis());
            for (int number = 0; number < MOST / 2; number++) {
                Socket client = connect();
                Socket there = another.accept();
                sockets.add(there);
                there.getOutputStream().write('x');
                assertThat(client.getInputStream().read()).isEqualTo('x');
            }
        } finally {
            published = first;
        }
    }

    @Test
    void withoutListenerConnectionIsResetAfterWhile() throws Exception {
        int port = command.getLocalPort();
        command.close();
        assertIsReset(this::connect);
        await("the connection is reported")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(ended)
                        .singleElement()
                        .satisfies(one -> assertThat(one.reason().orElseThrow())
                                .isEqualTo("no process listened on port " + port + " at 127.0.0.1 within 1 s")));
    }

    @Test
    void whatEndedCommandHasSentArrivesAndNothingListensAfterwards() throws Exception {
        Socket client = connect();
        Socket server = reached();
        byte[] answer = new byte[1 << 20];
        Thread writing = Thread.ofVirtual().start(() -> {
            try {
                server.getOutputStream().write(answer);
                server.close();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        });
        assertThat(client.getInputStream().read()).isZero();
        published.close();
        assertThat(client.getInputStream().readAllBytes()).hasSize(answer.length - 1);
        writing.join();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void connectionThatAnotherCommandKeepsOpenEndsWithCommandSoon() throws Exception {
        try (PublishedPorts hasty = ports(Duration.ofMillis(50))) {
            Publication other = hasty.publish(
                    inside, published.ports().stream().map(port -> port.at(0)).toList());
            published.close();
            published = other;
            Socket client = connect();
            reached();
            other.close();
            assertIsReset(() -> client);
        }
    }

    @Test
    void portInUseIsNamed() {
        assertThatThrownBy(() -> ports.publish(inside, List.of(new PublishedPort(here(), 3000))))
                .isInstanceOf(SpawnException.class)
                .hasMessage("port " + here() + " of this machine is in use: publish ':3000' for a free one, or end the"
                        + " program that listens there");
    }

    /** Asserts that a connection ends; the reset can arrive while the socket still connects. */
    private static void assertIsReset(Callable<Socket> connection) throws Exception {
        try {
            assertThat(connection.call().getInputStream().read()).isEqualTo(-1);
        } catch (ConnectException refused) {
            throw refused;
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
    }
}
