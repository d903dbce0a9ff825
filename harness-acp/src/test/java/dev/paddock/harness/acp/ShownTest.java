package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShownTest {

    @Test
    void linesAreJoinedToOne() {
        assertThat(Shown.line(" a \n\n b\r\nc d\n")).isEqualTo("a ⏎ b ⏎ c d");
    }

    @Test
    void whiteSpaceOfAnyLengthTakesNoTime() {
        String text = "a" + " ".repeat(1_000_000) + "b";

        String line = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> Shown.line(text));

        assertThat(line).isEqualTo("a" + " ".repeat(99) + " …");
    }
}
