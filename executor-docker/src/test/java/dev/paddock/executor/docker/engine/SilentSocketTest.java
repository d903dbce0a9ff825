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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C15: tests the bound of a call to an engine that accepts connections and does not answer. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentSocketTest {
    @TempDir
    Path directory;

    @Test
    void C15_silentEngineIsNoticed() throws Exception {
        Path socket = directory.resolve("docker.sock");
        try (ServerSocketChannel silent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.bind(UnixDomainSocketAddress.of(socket));
            Engine engine = Engine.at("unix://" + socket, Duration.ofSeconds(1));
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(() -> engine.call(
                            client -> client.inspectContainerCmd("any").exec()))
                    .satisfies(fault -> {
                        assertThat(fault.reason()).contains("unix://" + socket, "silent", "1 s");
                        assertThat(fault.remedy()).isNotBlank();
                        assertThat(fault.unusable().outlook()).isEqualTo(Availability.Outlook.UNDECIDED);
                    });
        }
    }
}
