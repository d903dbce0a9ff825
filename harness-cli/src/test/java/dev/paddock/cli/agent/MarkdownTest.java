package dev.paddock.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.cli.terminal.Style;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MarkdownTest {
    private static final int WIDTH = 80;
    private static final int LONG = 200_000;

    private final Markdown markdown = new Markdown(new Style(false));

    @ParameterizedTest
    @CsvSource({"# a ##, a", "###### b, b", "## c#, c", "# d # e, d # e", "#f, #f", "- - -, ────────────────────"})
    void signsOfHeadingsAndRulesAreNotShown(String written, String shown) {
        assertThat(markdown.line(written, WIDTH)).containsExactly(shown);
    }

    static Stream<String> longLines() {
        return Stream.of(
                "-".repeat(LONG) + "x",
                "- ".repeat(LONG) + "x",
                "[".repeat(LONG),
                "[a](".repeat(LONG),
                "# a" + " ".repeat(LONG) + "b",
                "#".repeat(LONG));
    }

    /** A model chooses how long a line is. */
    @ParameterizedTest(name = "{index}")
    @MethodSource("longLines")
    void lineOfAnyLengthTakesNeitherItsSquareNorItsStack(String written) {
        List<String> shown = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> markdown.line(written, WIDTH));

        assertThat(shown).isNotEmpty();
    }
}
