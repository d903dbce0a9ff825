package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that memory is bounded for any output. Each case runs in its own JVM, with a heap of 64
 * MiB.
 */
@Tag("full")
class LongOutputTest {
    @TempDir
    Path home;

    @Test
    void outputOf160MegabytesFitsSmallHeapWithExactTotalsAndCompleteLog() throws Exception {
        JsonNode result = run("yes 0123456789abcde | head -c 160000000");
        assertThat(result.get("isError").asBoolean()).isFalse();
        assertThat(result.get("totalBytes").asLong()).isEqualTo(160_000_000);
        assertThat(result.get("totalLines").asLong()).isEqualTo(160_000_000 / 16);
        assertThat(Path.of(result.get("log").asText())).hasSize(160_000_000);
        assertThat(result.get("textEnd").asText()).contains("[Showing lines 9998001-10000000 of 10000000");
    }

    @Test
    void lineOf50MegabytesFitsSmallHeap() throws Exception {
        JsonNode result = run("head -c 50000000 /dev/zero | tr '\\0' x");
        assertThat(result.get("isError").asBoolean()).isFalse();
        assertThat(result.get("totalBytes").asLong()).isEqualTo(50_000_000);
        assertThat(result.get("totalLines").asLong()).isEqualTo(1);
        assertThat(result.get("textLength").asLong()).isBetween(262_144L, 263_000L);
        assertThat(Path.of(result.get("log").asText())).hasSize(50_000_000);
    }

    private JsonNode run(String command) throws IOException, InterruptedException {
        return ChildJvm.run(LongOutputProgram.class, "-Xmx64m", home.toString(), command);
    }
}
