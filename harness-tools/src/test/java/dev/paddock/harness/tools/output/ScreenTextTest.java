package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTextTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plain é 漢 text                        | plain é 漢 text
            <ESC>[1;31merror<ESC>[0m: x            | error: x
            <ESC>]8;;http://a<BEL>link<ESC>]8;;<BEL> | link
            10 %<CR>50 %<CR>100 %                  | 100 %
            10 %<CR>100 %<CR><LF>next              | 100 %<LF>next
            10 %<CR><ESC>[K100 %<CR><ESC>[K<LF>    | 100 %<LF>
            one<LF>two<CR>three                    | one<LF>three
            N<BS>NA<BS>AM<BS>ME<BS>E               | NAME
            a<LF><BS>b                             | a<LF>b
            a<ESC>[31<LF>b                         | a<LF>b
            tab<TAB>kept<NUL>                      | tab<TAB>kept
            """)
    void eachLineIsWhatAScreenShowsInTheEnd(String written, String shown) {
        assertThat(ScreenText.of(characters(written))).isEqualTo(characters(shown));
    }

    @Test
    void textWithoutControlCharactersIsSame() {
        String plain = "a\tb\n";
        assertThat(ScreenText.of(plain)).isSameAs(plain);
        assertThat(ScreenText.of("")).isEmpty();
    }

    private static String characters(String text) {
        return text.replace("<ESC>", "\u001b")
                .replace("<BEL>", "\u0007")
                .replace("<CR>", "\r")
                .replace("<LF>", "\n")
                .replace("<BS>", "\b")
                .replace("<TAB>", "\t")
                .replace("<NUL>", "\0");
    }
}
