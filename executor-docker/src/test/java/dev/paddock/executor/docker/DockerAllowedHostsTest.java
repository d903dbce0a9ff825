package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Container;
import com.sun.net.httpserver.HttpServer;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.fixtures.TestNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what allowed hosts need of containers; the contract has the rest. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DockerAllowedHostsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String BODY = "hello from the allowed host";

    @TempDir
    Path directory;

    private Optional<HttpServer> started = Optional.empty();

    private String host = "";
    private int port;

    @BeforeEach
    void serve() throws IOException {
        TestEngine.withImage(TestEngine.BUSYBOX);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        started = Optional.of(server);
        server.createContext("/", exchange -> {
            byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        port = server.getAddress().getPort();
        host = TestNames.put("container", "127.0.0.1");
    }

    @AfterEach
    void stop() {
        started.ifPresent(server -> server.stop(0));
    }

    private SandboxPolicy policy() throws IOException {
        return SandboxPolicy.builder(new PathMapping(directory.toRealPath(), "/work"))
                .network(NetworkPolicy.allow(host + ":" + port + "/private"))
                .build();
    }

    private static String run(DockerExecutor executor, String command) throws IOException {
        ProcessLike process = executor.spawn(
                command,
                SpawnOptions.builder("/work").stderr(SpawnOptions.Stderr.MERGED).build());
        String output = new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        return output
                + String.join(
                        "", process.onClosed().toCompletableFuture().join().notices());
    }

    private String fetch(String name) {
        return "wget -qO- http://" + name + ":" + port + "/";
    }

    @Test
    void reachesAllowedHostAndLeavesNoContainerButItsOwn() throws IOException {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .policy(policy())
                .build()) {
            String other = TestNames.put("othercontainer", "127.0.0.1");
            assertThat(run(executor, fetch(other))).contains(other + " was not reached: not allowed");
            assertThat(run(executor, fetch(host))).isEqualTo(BODY);
            Awaitility.await("the container that opened the sockets is removed")
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ownContainers())
                            .containsExactly(executor.containerId().orElseThrow()));
        }
    }

    private static List<String> ownContainers() {
        return TestEngine.get()
                .call(client -> client.listContainersCmd()
                        .withShowAll(true)
                        .withLabelFilter(Map.of(
                                ManagedSettings.OWNER_LABEL, OwnerId.current().toString()))
                        .exec())
                .stream()
                .map(Container::getId)
                .toList();
    }

    /** A kernel of its own has a network of its own, which these sockets would not be in. */
    @Test
    void runtimeWithItsOwnKernelIsRefused() throws IOException {
        DockerExecutor.Builder builder = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .policy(policy())
                .runtime("runsc");
        assertThatThrownBy(builder::build)
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("the runtime 'runsc' has a network of its own");
    }

    @Test
    void newContainerIsServedAfterFirstWasKilled() throws IOException {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .policy(policy())
                .build()) {
            assertThat(run(executor, fetch(host))).isEqualTo(BODY);
            String container = executor.containerId().orElseThrow();
            WarmSlots.await(executor);
            TestEngine.get().call(client -> client.killContainerCmd(container).exec());
            Awaitility.await("a new container is served")
                    .atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(run(executor, fetch(host))).isEqualTo(BODY));
        }
    }
}
