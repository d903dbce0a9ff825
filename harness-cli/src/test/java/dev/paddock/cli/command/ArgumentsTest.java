package dev.paddock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {
    private static final Option FLAG = Option.flag("-n", "a flag");
    private static final Option TIMEOUT = Option.of("--timeout", "S", "a value");
    private static final Option ENV = Option.repeatable("--env", "K=V", "many values");

    private static Arguments parse(String... words) {
        return Arguments.parse(List.of(FLAG, TIMEOUT, ENV), List.of(words));
    }

    @Test
    void optionsEndAtFirstOperand() {
        Arguments parsed = parse("-n", "--env", "A=1", "--env=B=2=3", "ls", "-n", "--timeout");
        assertThat(parsed.has(FLAG)).isTrue();
        assertThat(parsed.all(ENV)).containsExactly("A=1", "B=2=3");
        assertThat(parsed.value(TIMEOUT)).isEmpty();
        assertThat(parsed.operands()).containsExactly("ls", "-n", "--timeout");
    }

    @Test
    void twoDashesEndOptionsAndAreNoOperand() {
        assertThat(parse("-n", "--", "--", "-x").operands()).containsExactly("--", "-x");
    }

    @Test
    void valueMayLookLikeOption() {
        assertThat(parse("--timeout", "-n").value(TIMEOUT)).contains("-n");
        assertThat(parse("--timeout=").value(TIMEOUT)).contains("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --timout   | unknown option --timout; did you mean --timeout?
                    --frobnify | unknown option --frobnify
                    --timeout  | --timeout lacks its value: --timeout S
                    -n=1       | unknown option -n=1
                    """)
    void wrongArgumentsAreReported(String word, String message) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> parse(word))
                .withMessage(message);
    }

    @Test
    void optionGivenTwiceIsRefused() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> parse("--timeout", "1", "--timeout", "2"))
                .withMessage("--timeout is given twice");
    }

    @Test
    void optionsMayFollowOperandsThatAreNoCommand() {
        Arguments parsed =
                Arguments.parseAll(List.of(FLAG, TIMEOUT), List.of("one", "-n", "two", "--timeout", "3", "--", "-n"));
        assertThat(parsed.has(FLAG)).isTrue();
        assertThat(parsed.value(TIMEOUT)).contains("3");
        assertThat(parsed.operands()).containsExactly("one", "two", "-n");
    }
}
