package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a port of the machine's loopback needs of bubblewrap; the contract has the rest. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoopbackPortTest {
    private static final System.Logger LOG = System.getLogger(LoopbackPortTest.class.getName());

    private static final String ANSWER = "hello from the host";

    /** Prints at which of the addresses and ports a listener can be opened: ADDRESS PORT… */
    private static final String LISTEN = "perl -MSocket -e 'while (my ($address, $port) = splice(@ARGV, 0, 2)) {"
            + " socket(S, PF_INET, SOCK_STREAM, 0) or die $!;"
            + " setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1); setsockopt(S, SOL_SOCKET, 15, 1);"
            + " print \"$address $port\\n\" if bind(S, pack_sockaddr_in($port, inet_aton($address)))"
            + " && listen(S, 5) }'";

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @SuppressWarnings("NullAway.Init") // set before each test
    private ServerSocket allowed;

    /** Listens on every address of the machine, of IPv6 too. */
    @SuppressWarnings("NullAway.Init") // set before each test
    private ServerSocket other;

    @BeforeEach
    void serve() throws IOException {
        worktree = Files.createDirectory(directory.resolve("tree")).toRealPath();
        allowed = serve(new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        other = serve(new ServerSocket(0));
    }

    @AfterEach
    void stop() throws IOException {
        allowed.close();
        other.close();
    }

    private static ServerSocket serve(ServerSocket socket) {
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    client.getInputStream().read(new byte[4096]);
                    client.getOutputStream()
                            .write(("HTTP/1.0 200 OK\r\n\r\n" + ANSWER).getBytes(StandardCharsets.US_ASCII));
                } catch (IOException ended) {
                    LOG.log(System.Logger.Level.DEBUG, "a client has gone, or the server was closed", ended);
                }
            }
        });
        return socket;
    }

    private BwrapExecutor executor(String... rules) {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(NetworkPolicy.allow(rules))
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    private CommandResult run(BwrapExecutor executor, String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(worktree.toString()));
    }

    private static String fetch(String address, int port) {
        return "curl -sS --max-time 20 http://" + address + ":" + port + "/";
    }

    @Test
    void noOtherPortIsReachedByAnyAddress() throws Exception {
        List<String> addresses = List.of("127.0.0.1", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]");
        try (BwrapExecutor executor = executor("localhost:" + allowed.getLocalPort())) {
            assertThat(run(executor, fetch("localhost", allowed.getLocalPort())).outText())
                    .isEqualTo(ANSWER);
            for (String address : addresses) {
                assertThat(isReachedFromHere(address)).as(address).isTrue();
                assertThat(run(executor, fetch(address, other.getLocalPort())).outText())
                        .as(address)
                        .isEmpty();
            }
            CommandResult mapped = run(executor, fetch("[::1]", allowed.getLocalPort()));
            assertThat(mapped.outText()).as("the allowed port at ::1").isEmpty();
        }
    }

    /** It would answer other commands in place of the machine's server. */
    @Test
    void noCommandListensAtAllowedPort() throws Exception {
        int port = allowed.getLocalPort();
        int free = other.getLocalPort();
        try (BwrapExecutor executor = executor("localhost:" + port)) {
            String where = " 127.0.0.1 " + port + " 0.0.0.0 " + port + " 127.0.0.2 " + port + " 127.0.0.1 " + free;
            assertThat(run(executor, LISTEN + where).outText())
                    .isEqualTo("127.0.0.2 " + port + "\n127.0.0.1 " + free + "\n");
            assertThat(run(executor, fetch("localhost", port)).outText()).isEqualTo(ANSWER);
        }
    }

    private boolean isReachedFromHere(String address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.replaceAll("[\\[\\]]", ""), other.getLocalPort()), 20_000);
            return true;
        }
    }

    /** The port of another rule is taken at every address, and the connection still means one host. */
    @Test
    void portThatAnotherHostHasTooIsToldApartByAddress() throws Exception {
        int port = allowed.getLocalPort();
        try (BwrapExecutor executor =
                executor("elsewhere.paddock.example:" + port, "localhost:" + port, "host.internal:" + port)) {
            assertThat(run(executor, fetch("127.0.0.1", port)).outText()).isEqualTo(ANSWER);
            assertThat(run(executor, fetch("host.internal", port)).outText()).isEqualTo(ANSWER);
            assertThat(run(executor, fetch("127.0.0.2", port)).outText()).isEmpty();
            assertThat(run(executor, fetch("198.18.0.1", port)).outText()).isEmpty();
        }
    }

    /** On ports 80 and 443 of other hosts the connection must name the host; a local server's is its own. */
    @Test
    void whatIsSentIsNotExamined() throws Exception {
        try (ServerSocket http = privileged()) {
            serve(http);
            try (BwrapExecutor executor = executor("localhost:" + http.getLocalPort())) {
                assertThat(run(executor, "curl -sS -H 'Host: another.example' http://localhost:" + http.getLocalPort())
                                .outText())
                        .isEqualTo(ANSWER);
            }
        }
    }

    private static ServerSocket privileged() throws IOException {
        ServerSocket socket = new ServerSocket();
        for (int port : List.of(80, 443)) {
            try {
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
                return socket;
            } catch (IOException taken) {
                LOG.log(System.Logger.Level.DEBUG, "port " + port + " is taken", taken);
            }
        }
        assumeTrue(false, "neither port 80 nor port 443 can be listened at");
        return socket;
    }

    @Test
    void portOfWhichNobodyListensIsReported() throws Exception {
        int port = allowed.getLocalPort();
        allowed.close();
        try (BwrapExecutor executor = executor("localhost:" + port)) {
            CommandResult result = run(executor, fetch("localhost", port));
            assertThat(result.cleanup().orElseThrow().notices())
                    .singleElement()
                    .asString()
                    .contains("localhost:" + port + " was not reached");
        }
    }
}
