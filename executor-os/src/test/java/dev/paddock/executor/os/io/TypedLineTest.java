package dev.paddock.executor.os.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedLineTest {
    private static final byte CTRL_D = 4;
    private static final byte CTRL_X = 24;

    @ParameterizedTest
    @CsvSource({"'',1", "a,2", "'a\n',1", "'a\r',1", "'a\u0004',1", "'a\nb',2"})
    void endIsTypedTwiceWithinLine(String typed, int times) {
        TypedLine line = new TypedLine();
        for (byte one : typed.getBytes(StandardCharsets.UTF_8)) {
            line.typed(one);
        }
        assertThat(line.end(CTRL_D)).hasSize(times).containsOnly(CTRL_D);
        assertThat(line.end((byte) 0)).as("without a character").isEmpty();
        if (typed.indexOf(CTRL_D) >= 0) {
            assertThat(line.end(CTRL_X))
                    .as("where Ctrl-D is any other character")
                    .hasSize(2);
        }
    }
}
