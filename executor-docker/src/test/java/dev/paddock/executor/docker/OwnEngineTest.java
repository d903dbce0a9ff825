package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that the tests' own engine leaves the machine's network alone. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnEngineTest {
    private static final Path MACHINE = Path.of("/proc/self/ns/net");

    @Test
    void anEngineWithoutABridgeHasANetworkNamespaceOfItsOwn() throws Exception {
        try (OwnEngine engine = OwnEngine.start()) {
            Path before = Files.readSymbolicLink(engine.networkNamespace());
            assertThat(before).isNotEqualTo(Files.readSymbolicLink(MACHINE));
            engine.stop();
            engine.restart();
            assertThat(Files.readSymbolicLink(engine.networkNamespace())).isNotEqualTo(Files.readSymbolicLink(MACHINE));
        }
    }
}
