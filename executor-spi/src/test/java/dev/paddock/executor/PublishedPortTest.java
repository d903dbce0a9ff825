package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedPortTest {

    @ParameterizedTest
    @CsvSource({"3000, 3000, 3000", "8080:3000, 8080, 3000", ":3000, 0, 3000", "0:3000, 0, 3000"})
    void thisMachinesPortIsFirst(String text, int hostPort, int port) {
        assertThat(PublishedPort.parse(text)).isEqualTo(new PublishedPort(hostPort, port));
        assertThat(PublishedPort.parse(PublishedPort.parse(text).toString()))
                .isEqualTo(new PublishedPort(hostPort, port));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "3000:", "0", "3000:0", "65536", "70000:3000", "-1", "http", "1:2:3", "٣", "3\n"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> PublishedPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void addressHasThisMachinesPort() {
        assertThat(new PublishedPort(0, 3000).at(8080).address()).isEqualTo("127.0.0.1:8080");
    }

    @Test
    void commandHasFewPorts() {
        SpawnOptions.Builder options = SpawnOptions.builder("/");
        IntStream.rangeClosed(1, PublishedPort.MAX_PORTS).forEach(port -> options.publish(new PublishedPort(0, port)));
        SpawnOptions most = options.build();
        assertThat(most.published()).hasSize(PublishedPort.MAX_PORTS);
        assertThat(most.toBuilder().build().published()).isEqualTo(most.published());
        assertThatThrownBy(
                        () -> most.toBuilder().publish(new PublishedPort(0, 9)).build())
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("at most 8 ports, not 9");
    }

    @Test
    void processOfJdkPublishesNothing() {
        SpawnOptions options =
                SpawnOptions.builder("/").publish(new PublishedPort(0, 3000)).build();
        assertThatThrownBy(() -> ProcessLike.start(new ProcessBuilder("true"), options))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("cannot publish port 3000", "reachable at 127.0.0.1 without it");
    }
}
