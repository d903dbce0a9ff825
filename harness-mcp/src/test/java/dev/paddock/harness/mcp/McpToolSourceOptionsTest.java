package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which options of an MCP server are rejected when they are set, and that the messages do not
 * contain their secrets.
 */
class McpToolSourceOptionsTest {

    @Test
    void invalidNameOrAddressIsRefused() {
        assertThatThrownBy(() -> McpToolSource.stdio("my server", "true")).hasMessageContaining("'my server'");
        assertThatThrownBy(() -> McpToolSource.http("others", URI.create("ftp://host/")))
                .hasMessageContaining("ftp://host/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://me:secret@host/", "https://me:secret@host/mcp", "https://me:secret@no_host/mcp"})
    void addressWithUserIsRefusedAndNotShown(String address) {
        assertThatThrownBy(() -> McpToolSource.http("others", URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'others'")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Authorization        | 'Bearer secret\r'           | the header Authorization
            Authorization        | 'Bearer secret\nX-Y: z'     | the header Authorization
            Authorization        | 'Bearer secret\u0000'       | the header Authorization
            Host                 | secret                      | the header Host
            Authorization secret | x                           | a header without a proper name
            ''                   | secret                      | a header without a proper name
            """)
    void invalidHeaderIsRefusedWithoutItsValue(String header, String value, String shown) {
        McpToolSource.Http builder = McpToolSource.http("others", URI.create("https://host/mcp"));
        assertThatThrownBy(() -> builder.header(header, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith(shown + " cannot be sent to the MCP server 'others'")
                .hasMessageNotContaining("secret");
    }

    @Test
    void invalidVariableIsRefusedWithoutItsValue() {
        McpToolSource.Stdio builder = McpToolSource.stdio("others", "true");
        assertThatThrownBy(() -> builder.env("NO-NAME", "secret"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("'NO-NAME'")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> builder.env("TOKEN", "secret\0"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("TOKEN")
                .hasMessageNotContaining("secret");
    }

    @Test
    void invalidTimeoutIsRefused() {
        McpToolSource.Stdio builder = McpToolSource.stdio("others", "true");
        assertThat(builder.startTimeout(Duration.ofDays(1)).callTimeout(Duration.ofDays(1)))
                .isSameAs(builder);
        Duration forever = ChronoUnit.FOREVER.getDuration();
        for (Duration wrong :
                List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofDays(1).plusNanos(1), forever)) {
            assertThatThrownBy(() -> builder.startTimeout(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("startTimeout")
                    .hasMessageContaining(wrong.toString());
            assertThatThrownBy(() -> builder.callTimeout(wrong)).hasMessageContaining("callTimeout");
        }
    }
}
