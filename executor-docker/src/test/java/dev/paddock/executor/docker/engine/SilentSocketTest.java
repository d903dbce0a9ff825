package dev.paddock.executor.docker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C15: tests the bound of a call to an engine that accepts connections and does not answer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentSocketTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "docker.sock, the Docker engine at, docker info; systemctl status docker",
        "podman.sock, the Podman engine at, podman info; systemctl --user status podman.socket"
    })
    void C15_silentEngineIsNoticed(String name, String whose, String look) throws Exception {
        Path socket = directory.resolve(name);
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(socket));
            Engine engine = Engine.at("unix://" + socket, Duration.ofSeconds(1));
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(() -> engine.call(
                            client -> client.inspectContainerCmd("any").exec()))
                    .satisfies(fault -> {
                        assertThat(fault.reason()).contains(whose + " unix://" + socket, "silent", "1 s");
                        assertThat(fault.remedy()).contains(look);
                        assertThat(fault.unusable().outlook()).isEqualTo(Availability.Outlook.UNDECIDED);
                    });
        }
    }
}
