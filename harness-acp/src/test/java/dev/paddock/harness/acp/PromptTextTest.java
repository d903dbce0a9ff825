package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromptTextTest {
    @ParameterizedTest
    @CsvSource({
        "file:///work/a.txt, /work/a.txt",
        "file:///work/my%20dir/%C3%A4.txt, /work/my dir/ä.txt",
        "file:///work/a%23b.txt#L5, /work/a#b.txt#L5",
        "file:///work/100%.txt, /work/100%.txt",
        "file:///work/my dir/a.txt, /work/my dir/a.txt",
        "file://host/work/a.txt, host/work/a.txt",
        "file:///work/a%00b, /work/a%00b",
        "https://example.org/a%20b, https://example.org/a%20b"
    })
    void placeOfLinkIsPath(String uri, String place) {
        AcpSchema.ContentBlock link = EditorConnection.convert(
                Map.of("type", "resource_link", "name", "a", "uri", uri), AcpSchema.ContentBlock.class);
        AcpSchema.ContentBlock see = new AcpSchema.TextContent(null, "See ", null, null);
        assertThat(PromptText.of(List.of(see, link))).isEqualTo("See " + place);
    }
}
