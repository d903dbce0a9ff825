package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clause C16: two hundred live background shells on the host, in one JVM with a heap of 128
 * MiB.
 */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class ManyShellsTest {
    @TempDir
    Path home;

    @Test
    void C16_manySilentShellsCostLittleHeapAndNoCpu() throws Exception {
        JsonNode cost = ChildJvm.run(ManyShellsProgram.class, "-Xmx128m", home.toString(), "200");
        assertThat(cost.get("read").asInt())
                .as("shells whose output was read: %s", cost)
                .isEqualTo(201);
        assertThat(cost.get("heapPerShell").asLong()).as("%s", cost).isLessThan(64 << 10);
        assertThat(cost.get("quiet").asBoolean())
                .as("whether there was a second in which no thread ran: %s", cost)
                .isTrue();
        assertThat(cost.get("liveAfterwards").asInt()).isZero();
    }
}
