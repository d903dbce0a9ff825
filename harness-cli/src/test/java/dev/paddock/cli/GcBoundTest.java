package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.terminal.ProcessControl;
import dev.paddock.cli.terminal.Streams;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GcBoundTest {
    @ParameterizedTest
    @CsvSource({"true, 60", "false, 8"})
    void personIsGivenMoreTime(boolean isPerson, long seconds) {
        ProcessControl process = (ProcessControl) Proxy.newProxyInstance(
                GcBoundTest.class.getClassLoader(),
                new Class<?>[] {ProcessControl.class},
                (proxy, method, arguments) -> isPerson);
        Streams streams = new Streams(
                InputStream.nullInputStream(),
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                StandardCharsets.UTF_8);
        InvocationContext caller = new InvocationContext(Map.of(), Path.of("/"), Optional.empty(), streams, process);
        assertThat(GcCommand.bound(caller)).isEqualTo(Duration.ofSeconds(seconds));
    }
}
