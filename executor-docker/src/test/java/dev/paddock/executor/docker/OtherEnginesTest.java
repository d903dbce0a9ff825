package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests what is reported of an address at which no engine answers that can be used. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class OtherEnginesTest {
    private static final String ADDRESS = "DOCKER_HOST";

    @TempDir
    Path directory;

    @AfterEach
    void forgetAddress() {
        System.clearProperty(ADDRESS);
    }

    /** Answers as an engine of a third product might. */
    private static void answer(ServerSocketChannel server) {
        String body = "{\"Platform\":{\"Name\":\"linux/amd64/debian-12\"},\"Components\":["
                + "{\"Name\":\"Hypothetical Engine\",\"Version\":\"4.3.1\"},"
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
    void engineOfOtherProductIsRefused() throws Exception {
        Path socket = directory.resolve("other.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread.startVirtualThread(() -> answer(server));
            System.setProperty(ADDRESS, "unix://" + socket);
            assertThat(new DockerProvider().probe()).isInstanceOfSatisfying(Availability.Unusable.class, unusable -> {
                assertThat(unusable.reason())
                        .contains("unix://" + socket, "neither Docker's nor Podman's", "Hypothetical Engine 4.3.1");
                assertThat(unusable.remedy()).contains("DOCKER_HOST");
            });
        }
    }

    @Test
    void addressThatCannotBeUsedIsNamed() {
        System.setProperty(ADDRESS, "ftp://nowhere");
        assertThat(new DockerProvider().probe())
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("ftp://nowhere"));
    }

    @Test
    void errorInCallIsThrownAsItIs() {
        assertThatThrownBy(() -> BoundedCall.within(Duration.ofSeconds(5), () -> {
                    throw new StackOverflowError("too deep");
                }))
                .isInstanceOf(StackOverflowError.class)
                .hasMessage("too deep");
    }
}
