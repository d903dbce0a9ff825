package dev.paddock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrintableTest {

    @Test
    void controlCharactersAreShown() {
        assertThat(Printable.text("a\u001b[31m\u0000\u007f\u009b\u202e\ud800b\tc\r\nd\re"))
                .isEqualTo("a^[[31m^@^?<009B><202E><D800>b\tc\nd\ne");
    }

    @Test
    void whatCarriesHiddenTextIsShown() {
        assertThat(Printable.text("a\udb40\udc41\udb40\uddefb")).isEqualTo("a<E0041><E01EF>b");
    }

    @ParameterizedTest
    @CsvSource({"abc, 3", "é, 1", "日本, 4", "e\u0301, 1", "🐾, 2", "한글, 4", "\u200b, 0", "ｆ, 2", "✅, 2", "…, 1"})
    void widthsAreThoseOfTerminals(String text, int columns) {
        assertThat(text.codePoints().map(Printable::width).sum()).isEqualTo(columns);
    }

    @ParameterizedTest
    @CsvSource({
        "abcdef, 6, abcdef, abcdef",
        "abcdef, 4, abc…, cdef",
        "日本語, 5, 日本…, 本語",
        "日本語, 4, 日…, 本語",
        "'a\nb', 3, a b, a b"
    })
    void lineIsCutByColumns(String text, int columns, String line, String end) {
        assertThat(Printable.line(text, columns)).isEqualTo(line);
        assertThat(Printable.end(text, columns)).isEqualTo(end);
    }
}
