package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.TestNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reaches an HTTP server of this test by its name, and nothing else. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedHostsTest {
    private static final String BODY = "hello from the allowed host";

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private BwrapExecutor executor;

    private String host = "";
    private int port;

    /** A command's output, its exit code and the notices of its report. */
    private record Ran(int code, String output, List<String> notices) {}

    @BeforeEach
    void serve() throws IOException {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        port = server.getAddress().getPort();
        host = TestNames.put("allowed", "127.0.0.1");
        executor = executor(host + ":" + port + "/private");
    }

    @AfterEach
    void stop() {
        executor.dispose();
        server.stop(0);
    }

    private BwrapExecutor executor(String... rules) {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(NetworkPolicy.allow(rules))
                        .build())
                .quarantine(directory.resolve("quarantine"))
                .build();
    }

    private Ran run(String command) throws IOException {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
        String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.onExit().toCompletableFuture().join().code();
        return new Ran(
                code, output, process.onClosed().toCompletableFuture().join().notices());
    }

    private String url(String name) {
        return "http://" + name + ":" + port + "/";
    }

    @Test
    void allowedHostIsFetchedWithoutASetting() throws IOException {
        assertThat(run("curl -sS " + url(host))).isEqualTo(new Ran(0, BODY, List.of()));
        assertThat(executor.guarantees())
                .contains(Guarantee.NETWORK_ALLOWED_HOSTS, Guarantee.PRIVATE_LOOPBACK)
                .doesNotContain(Guarantee.NETWORK_OFF);
    }

    @Test
    void otherNameDoesNotExistAndTheReportSaysWhatIsAllowed() throws IOException {
        String other = TestNames.put("other", "127.0.0.1");
        long began = System.nanoTime();
        Ran ran = run("curl -sS " + url(other));
        assertThat(ran.code()).isEqualTo(6);
        assertThat(ran.output()).contains("Could not resolve host: " + other);
        assertThat(ran.notices())
                .containsExactly(other + " was not reached: not allowed. Allowed: " + host + ":" + port + "/private.");
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isLessThan(5);
        assertThat(run("true").notices()).isEmpty();
    }

    @Test
    void addressesOfTheHostAreNotReached() throws IOException {
        for (String address : List.of("127.0.0.1", "2130706433", "0x7f.1", "[::1]", "198.18.0.1", "198.18.9.9")) {
            Ran ran = run("curl -sS --max-time 5 " + url(address));
            assertThat(ran.code()).as(address).isNotZero();
            assertThat(ran.output()).as(address).doesNotContain(BODY);
        }
    }

    @Test
    void otherPortOfAnAllowedHostIsRefused() throws IOException {
        Ran ran = run("curl -sS --max-time 5 http://" + host + ":" + (port == 9999 ? 9998 : 9999) + "/");
        assertThat(ran.code()).isEqualTo(7);
    }

    @Test
    void privateAddressOfAHostIsNotReachedUnlessTheRuleSaysSo() throws IOException {
        executor.dispose();
        executor = executor(host + ":" + port);
        Ran ran = run("curl -sS " + url(host));
        assertThat(ran.output()).doesNotContain(BODY);
        assertThat(ran.code()).isNotZero();
        assertThat(ran.notices()).singleElement().asString().contains("127.0.0.1 is private", "/private");
    }

    @Test
    void oneForbiddenAddressAmongSeveralRefusesTheHost() throws IOException {
        String mixed = TestNames.put("mixed", "127.0.0.1", "169.254.169.254");
        executor.dispose();
        executor = executor(mixed + ":" + port + "/private");
        Ran ran = run("curl -sS " + url(mixed));
        assertThat(ran.code()).isNotZero();
        assertThat(ran.notices()).singleElement().asString().contains("169.254.169.254 is of a special use");
    }

    @Test
    void serverOfOneCommandAnswersAnotherOnTheLoopback() throws IOException {
        ProcessLike service =
                executor.spawn("python3 -m http.server --bind 127.0.0.1 8123", SpawnOptions.in(worktree.toString()));
        Awaitility.await("the server in the sandbox")
                .untilAsserted(
                        () -> assertThat(run("curl -sS http://127.0.0.1:8123/").code())
                                .isZero());
        service.kill(Signal.KILL);
    }

    @Test
    void newNamespaceIsServedAfterItsHolderWasKilled() throws IOException {
        assertThat(run("curl -sS " + url(host)).output()).isEqualTo(BODY);
        ProcessHandle.of(executor.holderPid()).ifPresent(ProcessHandle::destroyForcibly);
        Awaitility.await("a new holder")
                .ignoreException(SandboxLostException.class)
                .untilAsserted(
                        () -> assertThat(run("curl -sS " + url(host)).output()).isEqualTo(BODY));
    }

    @Test
    void commandCannotTakeThePortsOfTheRelay() throws IOException {
        String take = """
                import socket
                for kind, address in ((socket.SOCK_STREAM, ('0.0.0.0', TAKEN)), (socket.SOCK_STREAM, ('198.18.0.2', TAKEN)),
                                      (socket.SOCK_DGRAM, ('127.83.0.53', 53)), (socket.SOCK_STREAM, ('127.83.0.53', 53))):
                  s = socket.socket(socket.AF_INET, kind)
                  s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                  s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                  try:
                    s.bind(address)
                    s.listen() if kind == socket.SOCK_STREAM else None
                    print('taken', address)
                  except OSError as refused:
                    print('refused')
                """.replace("TAKEN", Integer.toString(port));
        Files.writeString(worktree.resolve("take.py"), take);
        assertThat(run("python3 take.py").output()).isEqualTo("refused\n".repeat(4));
    }

    @Test
    void manyConnectionsAtOnceAreServed() throws IOException {
        String many = """
                import socket
                open = [socket.create_connection(('HOST', PORT)) for _ in range(200)]
                for s in open: s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n')
                print(sum('BODY' in s.makefile().read() for s in open))
                """.replace("HOST", host)
                .replace("PORT", Integer.toString(port))
                .replace("BODY", BODY);
        Files.writeString(worktree.resolve("many.py"), many);
        assertThat(run("python3 many.py").output()).isEqualTo("200\n");
    }
}
