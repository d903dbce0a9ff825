package dev.paddock.harness.tools.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.net.AddressKind;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests very large pages. The timeout catches a conversion that takes many times as long as
 * expected.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargePageTest {
    private static final int BLOCKS = 400_000;
    private static final String WORD = "a".repeat(60);

    /**
     * The parser moves elements that do not belong in a table in front of it, and for each of them
     * counts those already there again.
     */
    private static final String MISPLACED = "<table>" + "<p>a</p>".repeat(BLOCKS);

    private static final URI PAGE = URI.create("http://example.org/");

    private final AbortController abort = new AbortController();

    @ParameterizedTest
    @ValueSource(strings = {"<p>%s </p>", "<li>%s </li>", "<tr><td>%s </td></tr>"})
    void pageOfNothingButBlocksIsRead(String block) {
        String page = (block.startsWith("<tr>") ? "<table>" : "")
                + block.formatted(WORD).repeat(BLOCKS);
        assertThat(HtmlText.of(Jsoup.parse(page)).chars().filter(c -> c == 'a').count())
                .isEqualTo((long) BLOCKS * WORD.length());
    }

    private Page read(Duration timeout) {
        WebAccess access = WebAccess.standard().withTimeout(timeout);
        Destination.Gate gate = Destination.Gate.everyHost(access, InetAddress::getAllByName, AddressKind::isPublic);
        PageRequest request = new PageRequest(access, gate, abort.signal());
        HttpHeaders headers = HttpHeaders.of(Map.of("content-type", List.of("text/html")), (name, value) -> true);
        BoundedBody.Body body = new BoundedBody.Body(MISPLACED.getBytes(StandardCharsets.UTF_8), false);
        return Page.of(new PageRequest.Answer(PAGE, 200, headers, body), () -> request.requireWanted(PAGE));
    }

    @Test
    void pageThatTakesTooLongToReadIsGivenUp() {
        assertThatThrownBy(() -> read(Duration.ofMillis(300)))
                .isInstanceOf(WebProblem.class)
                .hasMessage(PAGE + " has not been read through within 0.3 s: there is too much markup in it");
    }

    @Test
    void abortEndsReading() {
        abort.abort();
        assertThatThrownBy(() -> read(Duration.ofMinutes(5))).isInstanceOf(AbortedException.class);
    }
}
