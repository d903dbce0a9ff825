package dev.paddock.harness.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.jsoup.Jsoup;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages as large as they come. */
class HtmlTextTest {
    private static final int BLOCKS = 400_000;

    /** The limit is for a walk that looks at all of the text again for each block: that takes minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"<p>a </p>", "<li>a </li>", "<div>a </div>", "<tr><td>a </td></tr>"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPageOfNothingButBlocksIsRead(String block) {
        String text = HtmlText.of(Jsoup.parse((block.startsWith("<tr>") ? "<table>" : "") + block.repeat(BLOCKS)));
        assertThat(text.chars().filter(c -> c == 'a').count()).isEqualTo(BLOCKS);
    }
}
