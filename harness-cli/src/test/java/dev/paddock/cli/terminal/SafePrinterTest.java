package dev.paddock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests that text of others is shown, however it is printed. */
class SafePrinterTest {
    private static final String HOSTILE = "\u001b]52;c;ZXZpbA==\u0007\u001b[2Jhost\u009b1A\u202e\uDB40\uDC41";
    private static final String SHOWN = "^[]52;c;ZXZpbA==^G^[[2Jhost<009B>1A<202E><E0041>";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final SafePrinter out = new SafePrinter(bytes, StandardCharsets.UTF_8);

    @Test
    void nothingOfOthersSteersTerminal() {
        out.print(HOSTILE);
        out.println((Object) HOSTILE);
        out.println(HOSTILE.toCharArray());
        out.printf("%s", HOSTILE);
        out.append(HOSTILE).append('\u001b');
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo(SHOWN + SHOWN + "\n" + SHOWN + "\n" + SHOWN + SHOWN + "^[");
    }

    @Test
    void stylesAndLinesStay() {
        Style style = new Style(true);
        String text = style.bold("a") + style.bad("é") + "\tb\n\u001b[8mhidden";
        out.print(text);
        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .isEqualTo("\u001b[1ma\u001b[m\u001b[31mé\u001b[m\tb\n^[[8mhidden");
    }
}
