package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the network that the policy grants, on an engine with a bridge of the test's own. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenNetworkTest {
    /** From a range reserved for network tests (RFC 2544), which no real network uses. */
    private static final String ADDRESS = "198.18.213.1";

    @AutoClose
    private static OwnEngine engine;

    @TempDir
    Path directory;

    /** Prints its port, and each line that it hears, which it returns: ADDRESS. */
    private static final String LISTENER = "use Socket; $| = 1; socket(S, PF_INET, SOCK_STREAM, 0) or die $!;"
            + " bind(S, pack_sockaddr_in(0, inet_aton($ARGV[0]))) or die $!; listen(S, 8) or die $!;"
            + " print +(unpack_sockaddr_in(getsockname(S)))[0], qq(\\n);"
            + " while (accept(C, S)) { $line = <C>; print $line; syswrite C, qq(echo $line); close C }";

    @BeforeAll
    static void start() throws IOException {
        engine = OwnEngine.withBridge(ADDRESS);
        engine.copy(TestEngine.BUSYBOX);
    }

    @Test
    void openReachesListenerThatOffDoesNot() throws Exception {
        Process listener = new ProcessBuilder(engine.besides(List.of("perl", "-e", LISTENER, ADDRESS))).start();
        try {
            BufferedReader heard = listener.inputReader();
            int port = Integer.parseInt(heard.readLine());
            assertThat(say(NetworkPolicy.open(), "open", port)).isEqualTo("echo open\n");
            assertThat(say(NetworkPolicy.off(), "off", port)).doesNotContain("echo");
            assertThat(listener.toHandle().destroy()).isTrue(); // Process.destroy() would close its output
            assertThat(heard.lines()).containsExactly("open");
        } finally {
            listener.destroyForcibly();
        }
    }

    @Test
    void whatIsRelayedToPublishedPortIsObserved() throws Exception {
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        ExecutorOptions options = ExecutorOptions.of(policy(NetworkPolicy.open()))
                .settings(Map.of("engine", engine.host(), "image", TestEngine.BUSYBOX))
                .onRelayedConnection(seen::add);
        try (CommandExecutor executor = new DockerProvider().create(options)) {
            ProcessLike server = executor.spawn(
                    "echo hello | nc -l -p 3000",
                    SpawnOptions.builder("/work")
                            .publish(new PublishedPort(0, 3000))
                            .build());
            int here = server.published().get(0).hostPort();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), here)) {
                assertThat(socket.getInputStream().readAllBytes()).asString().isEqualTo("hello\n");
            }
            server.waitFor(Duration.ofSeconds(60));
        }
        assertThat(seen).singleElement().satisfies(one -> {
            assertThat(one.publishedAt()).isPresent();
            assertThat(one.port()).hasValue(3000);
            assertThat(one.sentBytes()).isEqualTo("hello\n".length());
        });
    }

    private SandboxPolicy policy(NetworkPolicy network) throws IOException {
        return SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"))
                .network(network)
                .build();
    }

    private String say(NetworkPolicy network, String text, int port) throws Exception {
        try (DockerExecutor executor = DockerExecutor.builder()
                .engine(engine.host())
                .image(TestEngine.BUSYBOX)
                .policy(policy(network))
                .warmSlots(0) // each container runs one command
                .build()) {
            return Runs.of(executor, "/work", "echo " + text + " | nc -w 5 " + ADDRESS + " " + port)
                    .out();
        }
    }
}
