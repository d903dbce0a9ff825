package dev.paddock.executor.bwrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.TestNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what allowed hosts need of bubblewrap; the contract has the rest. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AllowedHostsTest {
    private static final String BODY = "hello from the allowed host";

    /** A command that learns of its refusal ends within a fraction of this. */
    private static final Duration BRIEF = Duration.ofMillis(500);

    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private Path worktree;

    @SuppressWarnings("NullAway.Init") // set before each test
    private HttpServer server;

    @SuppressWarnings("NullAway.Init") // set before each test
    private BwrapExecutor.Builder builder;

    private String url = "";
    private String refusedUrl = "";

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
        int port = server.getAddress().getPort();
        String host = TestNames.put("allowed", "127.0.0.1");
        url = "http://" + host + ":" + port + "/";
        String refused = TestNames.put("refused", "169.254.169.254");
        refusedUrl = "http://" + refused + ":" + port + "/";
        builder = allowing(NetworkPolicy.allow(host + ":" + port + "/private", refused + ":" + port));
    }

    private BwrapExecutor.Builder allowing(NetworkPolicy network) {
        return BwrapExecutor.builder()
                .policy(SandboxPolicy.builder(PathMapping.same(worktree))
                        .network(network)
                        .build())
                .quarantine(directory.resolve("quarantine"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String run(BwrapExecutor executor, String command) throws InterruptedException {
        return executor.run(command, RunOptions.in(worktree.toString())).outText();
    }

    /** Otherwise the command's own report could lack what it was refused. */
    @Test
    void refusalIsRecordedBeforeCommandLearnsOfIt() throws Exception {
        CompletableFuture<ProcessLike> started = new CompletableFuture<>();
        CompletableFuture<Boolean> endedBefore = new CompletableFuture<>();
        try (BwrapExecutor executor = builder.onConnection(
                        seen -> endedBefore.complete(endsWithin(BRIEF, started.join())))
                .build()) {
            ProcessLike command = executor.spawn("curl -sS " + refusedUrl, SpawnOptions.in(worktree.toString()));
            started.complete(command);

            assertThat(endedBefore).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(false);
            assertThat(command.onClosed().toCompletableFuture().get().notices())
                    .singleElement()
                    .asString()
                    .contains("169.254.169.254 is of a special use");
        }
    }

    private static boolean endsWithin(Duration time, ProcessLike command) {
        try {
            command.onExit().toCompletableFuture().get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException waiting) {
            return false;
        } catch (ExecutionException | InterruptedException fault) {
            throw new IllegalStateException(fault);
        }
    }

    /** The host's own rule is for another port: its private address is allowed, and this connection is not. */
    @Test
    void approverIsAskedAboutEachConnectionThatNoRuleAllows() throws Exception {
        String elsewhere = TestNames.put("elsewhere", "127.0.0.1");
        String asked = TestNames.put("asked", "127.0.0.1");
        int port = server.getAddress().getPort();
        Queue<String> questions = new ConcurrentLinkedQueue<>();
        Queue<Boolean> answers = new ConcurrentLinkedQueue<>(List.of(true, false));
        try (BwrapExecutor asking = allowing(NetworkPolicy.allow(asked + ":1/private", elsewhere + ":" + port))
                .approveHosts((host, at) -> {
                    questions.add(host + ":" + at);
                    return answers.remove();
                })
                .build()) {
            String fetch = "curl -sS http://" + asked + ":" + port + "/";
            RunOptions options = RunOptions.in(worktree.toString());
            assertThat(asking.run(fetch, options).outText()).isEqualTo(BODY);
            CommandResult denied = asking.run(fetch, options);
            assertThat(denied.outText()).isEmpty();
            assertThat(denied.cleanup().orElseThrow().notices())
                    .singleElement()
                    .asString()
                    .contains(asked + ":" + port + " was not reached: not allowed, and the approver has denied it");
            assertThat(questions).containsExactly(asked + ":" + port, asked + ":" + port);
            // Another host may be looked up and asked about; its approver fails, which denies it.
            assertThat(asking.run("curl -sS http://unnamed.example:" + port + "/", options)
                            .cleanup()
                            .orElseThrow()
                            .notices())
                    .singleElement()
                    .asString()
                    .contains("unnamed.example:" + port + " was not reached", "the approver failed");
        }
    }

    @Test
    void disposalEndsQuestion() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        BwrapExecutor executor = builder.approveHosts((host, at) -> {
                    waits.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return true;
                    } catch (InterruptedException ended) {
                        interrupted.complete(true);
                        throw ended;
                    }
                })
                .build();
        executor.spawn(
                "curl -sS http://unnamed.example:" + server.getAddress().getPort() + "/",
                SpawnOptions.in(worktree.toString()));
        waits.await();
        executor.dispose();
        assertThat(interrupted).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }

    @Test
    void newNamespaceIsServedAfterItsHolderWasKilled() throws InterruptedException {
        try (BwrapExecutor executor = builder.build()) {
            assertThat(run(executor, "curl -sS " + url)).isEqualTo(BODY);
            ProcessHandle.of(executor.holderPid()).ifPresent(ProcessHandle::destroyForcibly);
            Awaitility.await("a new holder")
                    .atMost(Duration.ofSeconds(30))
                    .ignoreExceptionsInstanceOf(ExecutorException.class)
                    .untilAsserted(
                            () -> assertThat(run(executor, "curl -sS " + url)).isEqualTo(BODY));
        }
    }

    @Test
    void observerThatNoConnectionCouldReachIsRefused() {
        BwrapExecutor.Builder open = allowing(NetworkPolicy.open()).onConnection(seen -> {});
        assertThatThrownBy(open::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("onConnection cannot observe the policy's network, which is ");
        BwrapExecutor.Builder off = allowing(NetworkPolicy.off()).approveHosts((host, at) -> true);
        assertThatThrownBy(off::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("approveHosts needs a network of allowed hosts, and the policy's is ");
    }
}
