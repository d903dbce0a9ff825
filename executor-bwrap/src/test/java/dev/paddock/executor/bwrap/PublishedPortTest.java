package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.HostSignals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what published ports need of bubblewrap; the contract has the rest. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishedPortTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String SERVE = "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Listen => 5,"
            + " LocalAddr => \"127.0.0.1\", LocalPort => 3000) or die $!;"
            + " while ($c = $s->accept) { print $c \"hello\"; close $c }'";

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @BeforeEach
    void create() throws IOException {
        worktree = Files.createDirectory(directory.resolve("tree")).toRealPath();
    }

    private BwrapExecutor.Builder builder(NetworkPolicy network) {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(network)
                        .build())
                .quarantine(directory.resolve("quarantine"));
    }

    private SpawnOptions publishing(int port) {
        return SpawnOptions.builder(worktree.toString())
                .publish(new PublishedPort(0, port))
                .build();
    }

    private static String answer(ProcessLike server) throws IOException {
        int port = server.published().get(0).hostPort();
        try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void allowedNetworkPublishesPortsThatItsRulesDoNotTake() throws Exception {
        List<HostConnection> seen = new CopyOnWriteArrayList<>();
        try (BwrapExecutor executor = builder(NetworkPolicy.allow("host.internal:3000", "other.example:8443"))
                .onConnection(seen::add)
                .build()) {
            assertThatThrownBy(() -> executor.spawn(SERVE, publishing(8443)))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("take port 8443");
            assertThat(answer(executor.spawn(SERVE, publishing(3000)))).isEqualTo("hello");
        }
        assertThat(seen).singleElement().satisfies(one -> {
            assertThat(one.port()).hasValue(3000);
            assertThat(one.publishedAt()).isPresent();
            assertThat(one.sentBytes()).isEqualTo("hello".length());
        });
    }

    @Test
    void afterLossOfNetworkNextCommandPublishesInNewOne() throws Exception {
        try (BwrapExecutor executor = builder(NetworkPolicy.off()).build()) {
            ProcessLike first = executor.spawn(SERVE, publishing(3000));
            assertThat(answer(first)).isEqualTo("hello");
            assertThat(HostSignals.send("KILL", executor.holderPid())).isTrue();
            assertThatThrownBy(() -> first.waitFor(PATIENCE)).isInstanceOf(ExecutorException.class);
            Awaitility.await("a command in another network answers")
                    .pollInSameThread()
                    .atMost(PATIENCE)
                    .ignoreException(ExecutorException.class)
                    .until(() -> answer(executor.spawn(SERVE, publishing(3000))).equals("hello"));
        }
    }
}
