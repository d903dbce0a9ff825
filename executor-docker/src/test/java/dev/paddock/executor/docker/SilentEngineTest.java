package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SweepMode;
import dev.paddock.executor.docker.container.Removal;
import dev.paddock.executor.docker.engine.BoundedCall;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests that every wait for a stopped engine is bounded, and what is reported. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SilentEngineTest {
    private static final String ADDRESS = "DOCKER_HOST";

    @TempDir
    Path directory;

    @AfterEach
    void forgetAddress() {
        System.clearProperty(ADDRESS);
    }

    private static Duration timed(Runnable action) {
        long begun = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private DockerExecutor executor(OwnEngine engine) {
        return DockerExecutor.builder()
                .engine(engine.host())
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .build();
    }

    @Tag("full")
    @Test
    void everyCallToAStoppedEngineIsBounded() throws Exception {
        try (OwnEngine engine = OwnEngine.start()) {
            engine.copy(TestEngine.BUSYBOX);
            System.setProperty(ADDRESS, engine.host());
            DockerProvider provider = new DockerProvider();
            DockerExecutor used = executor(engine);
            used.spawn("sleep 1000", SpawnOptions.in("/work"));
            DockerExecutor unused = executor(engine);
            engine.signal("STOP");
            try {
                assertThat(timed(() -> assertThat(provider.probe())
                                .isInstanceOfSatisfying(
                                        Availability.Unusable.class,
                                        unusable ->
                                                assertThat(unusable.reason()).contains(engine.host(), "5 s"))))
                        .as("the probe")
                        .isLessThan(Duration.ofSeconds(7));
                assertThat(timed(() -> assertThat(provider.sweep(SweepMode.REMOVE))
                                .anyMatch(
                                        phrase -> phrase.contains(engine.host()) && phrase.contains("did not answer"))))
                        .as("the sweep")
                        .isLessThan(Duration.ofSeconds(9));
                assertThat(timed(() -> assertThatThrownBy(() -> unused.spawn("true", SpawnOptions.in("/work")))
                                .isInstanceOf(SandboxUnavailableException.class)
                                .hasMessageContaining(engine.host())))
                        .as("the start")
                        .isLessThan(Duration.ofSeconds(15));
                assertThat(timed(unused::dispose)).as("disposal").isLessThan(Duration.ofSeconds(11));
                assertThat(timed(() -> assertThatThrownBy(used::dispose).isInstanceOf(Removal.ContainerLeft.class)))
                        .as("disposal with a command")
                        .isLessThan(Duration.ofSeconds(11));
            } finally {
                engine.signal("CONT");
            }
        }
    }

    /** Answers as Podman documents its own interface. */
    private static void answerAsPodman(ServerSocketChannel server) {
        String body = "{\"Platform\":{\"Name\":\"linux/amd64/debian-12\"},\"Components\":["
                + "{\"Name\":\"Podman Engine\",\"Version\":\"4.3.1\",\"Details\":{\"APIVersion\":\"4.3.1\"}},"
                + "{\"Name\":\"Conmon\",\"Version\":\"conmon version 2.1.6\"},"
                + "{\"Name\":\"OCI Runtime (crun)\",\"Version\":\"crun version 1.8.1\"}],"
                + "\"Version\":\"4.3.1\",\"ApiVersion\":\"1.41\",\"MinAPIVersion\":\"1.24\"}";
        try {
            while (true) {
                try (SocketChannel client = server.accept();
                        OutputStream output = Channels.newOutputStream(client)) {
                    output.write(("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
                    int ignored = Channels.newInputStream(client).read();
                    client.shutdownOutput();
                    Channels.newInputStream(client).transferTo(OutputStream.nullOutputStream());
                }
            }
        } catch (IOException closed) {
            // the expected end
        }
    }

    @Test
    void podmanIsNotTakenForDocker() throws Exception {
        Path socket = directory.resolve("podman.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread.startVirtualThread(() -> answerAsPodman(server));
            System.setProperty(ADDRESS, "unix://" + socket);
            assertThat(new DockerProvider().probe()).isInstanceOfSatisfying(Availability.Unusable.class, unusable -> {
                assertThat(unusable.reason()).contains("unix://" + socket, "not Docker's", "Podman Engine 4.3.1");
                assertThat(unusable.remedy()).contains("DOCKER_HOST");
            });
        }
    }

    @Test
    void anAddressThatCannotBeUsedIsNamed() {
        System.setProperty(ADDRESS, "ftp://nowhere");
        assertThat(new DockerProvider().probe())
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("ftp://nowhere"));
    }

    @Test
    void anErrorInACallIsThrownAsItIs() {
        assertThatThrownBy(() -> BoundedCall.within(Duration.ofSeconds(5), () -> {
                    throw new StackOverflowError("too deep");
                }))
                .isInstanceOf(StackOverflowError.class)
                .hasMessage("too deep");
    }
}
