package dev.paddock.executor.seatbelt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.TestNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the network of allowed hosts with a stand-in for {@code sandbox-exec} that enforces the
 * profile's rule about it, and what the executor does with one that enforces nothing.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway.Init") // set before each test
class SeatbeltNetworkTest {
    private static final String BODY = "hello from the allowed host";

    @TempDir
    private Path directory;

    private Path worktree;
    private HttpServer server;
    private String place = "";
    private String other = "";

    @BeforeEach
    void serve() throws Exception {
        assumeTrue(StandIn.canEnforceConnecting(), "this kernel's Landlock confines no connections");
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        place = TestNames.put("seatbelt", "127.0.0.1") + ":" + port;
        other = TestNames.put("unnamed", "127.0.0.1") + ":" + port;
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private SeatbeltExecutor executor(String standIn, NetworkPolicy network) throws IOException {
        return builder(standIn, network).build();
    }

    private SeatbeltExecutor.Builder builder(String standIn, NetworkPolicy network) throws IOException {
        return SeatbeltExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(network)
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .with(StandIn.in(directory, standIn));
    }

    private SeatbeltExecutor allowing() throws IOException {
        return executor(StandIn.CONNECTING, NetworkPolicy.allow(place + "/private"));
    }

    private CommandResult run(SeatbeltExecutor executor, String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(worktree.toString()));
    }

    private static int port(String profile) {
        assertThat(profile).containsOnlyOnce("network-outbound");
        return Integer.parseInt(profile.replaceAll("(?s).*\"localhost:(\\d+)\".*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl -sS http://PLACE/",
                "curl -sS --proxytunnel http://PLACE/",
                "curl -sS --proxy $ALL_PROXY http://PLACE/",
                "wget -qO- http://PLACE/"
            })
    void programsReachAllowedHostAndNoOther(String command) throws Exception {
        try (SeatbeltExecutor executor = allowing()) {
            assertThat(executor.guarantees())
                    .contains(Guarantee.NETWORK_ALLOWED_HOSTS)
                    .doesNotContain(Guarantee.NETWORK_OFF);
            CommandResult reached = run(executor, command.replace("PLACE", place));
            assertThat(reached.outText()).as(reached.errText()).contains(BODY);
            CommandResult denied = run(executor, command.replace("PLACE", other));
            assertThat(denied.outText()).doesNotContain(BODY);
            assertThat(denied.cleanup().orElseThrow().notices())
                    .singleElement()
                    .asString()
                    .contains(other.substring(0, other.indexOf(':')), "was not reached: not allowed");
        }
    }

    @Test
    void programThatIgnoresProxyReachesNothing() throws Exception {
        try (SeatbeltExecutor executor = allowing()) {
            String direct =
                    "curl -sS --noproxy '*' http://" + server.getAddress().getHostString() + ":"
                            + server.getAddress().getPort() + "/";
            assertThat(run(executor, direct).errText()).contains("Failed to connect");
            try (SeatbeltExecutor open = executor(StandIn.REPORTING, NetworkPolicy.open())) {
                assertThat(run(open, direct).outText()).as("elsewhere it does").isEqualTo(BODY);
            }
        }
    }

    @Test
    void portOfProfileIsProxysAsLongAsExecutorLives() throws Exception {
        int port;
        try (SeatbeltExecutor executor = allowing()) {
            port = port(executor.profile().text());
            assertThat(run(executor, "echo $http_proxy $no_proxy; echo \"$JAVA_TOOL_OPTIONS\"")
                            .outText())
                    .startsWith("http://127.0.0.1:" + port + " localhost,127.0.0.1,::1\n")
                    .contains("-Djava.io.tmpdir=", "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=" + port);
            assertThat(isTheProxys(port)).isTrue();
        }
        assertThat(isTheProxys(port)).isFalse();
    }

    /** Any program of the machine may have the port after the proxy. */
    private boolean isTheProxys(int port) throws IOException {
        String request = "GET http://" + place + "/ HTTP/1.1\r\nHost: " + place + "\r\nConnection: close\r\n\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains(BODY);
        } catch (SocketException | SocketTimeoutException another) {
            return false;
        }
    }

    @Test
    void withNetworkOffNothingIsServed() throws Exception {
        try (SeatbeltExecutor executor = executor(StandIn.REPORTING, NetworkPolicy.off())) {
            assertThat(executor.profile().text()).doesNotContain("network-outbound", "(remote");
            assertThat(run(executor, "echo \"[$http_proxy]\"; echo $JAVA_TOOL_OPTIONS")
                            .outText())
                    .startsWith("[]\n")
                    .doesNotContain("proxy");
        }
    }

    @Test
    void variableOfPolicyGoesBeforeProxys() throws Exception {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree))
                .network(NetworkPolicy.allow(place + "/private"))
                .environment(SandboxPolicy.builder(PathMapping.same(worktree))
                        .build()
                        .environment()
                        .with("no_proxy", "own.example"))
                .build();
        try (SeatbeltExecutor executor = SeatbeltExecutor.builder()
                .policy(policy)
                .quarantine(directory.resolve("quarantine"))
                .with(StandIn.in(directory, StandIn.CONNECTING))
                .build()) {
            assertThat(run(executor, "echo $no_proxy").outText()).isEqualTo("own.example\n");
        }
    }

    @Test
    void approverIsAskedAndConnectionsAreObserved() throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        String unnamed = other.substring(0, other.indexOf(':'));
        try (SeatbeltExecutor executor = builder(StandIn.CONNECTING, NetworkPolicy.allow(place + "/private"))
                .approveHosts((host, port) -> !asked.add(host + ":" + port))
                .onConnection(connection -> seen.add(connection.host() + " " + connection.allowed()))
                .build()) {
            run(executor, "curl -sS http://" + place + "/ http://" + other + "/");
        }
        assertThat(asked).containsExactly(other);
        // The proxy serves each connection on a thread of its own.
        assertThat(seen)
                .containsExactlyInAnyOrder(place.substring(0, place.indexOf(':')) + " true", unnamed + " false");
    }

    @Test
    void sandboxThatLeavesOtherPortsOpenIsRefused() {
        assertThatThrownBy(() -> executor(StandIn.REPORTING, NetworkPolicy.allow(place)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("the network of allowed hosts is not proven: a command reached /127.0.0.1:");
    }

    @Test
    void sandboxThatClosesProxysPortIsRefused() {
        String closed = StandIn.CONNECTING.replace("$connect, $port;", "$connect, 1;");
        assertThat(closed).isNotEqualTo(StandIn.CONNECTING);
        assertThatThrownBy(() -> executor(closed, NetworkPolicy.allow(place)))
                .isInstanceOf(SandboxUnavailableException.class)
                .hasMessageContaining("a command does not reach the proxy at /127.0.0.1:");
    }
}
