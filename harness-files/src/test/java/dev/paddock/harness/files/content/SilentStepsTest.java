package dev.paddock.harness.files.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.PatternException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests expressions that would keep the platform's engine busy without reading the text. */
class SilentStepsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 500;
    private static final List<String> PIECES = List.of(
            "a",
            "b",
            ".",
            "^",
            "$",
            "\\b",
            "\\1",
            "(",
            "(?:",
            "(?=",
            "(?!",
            "(?>",
            "(?<=",
            "(?<!",
            ")",
            ")",
            ")",
            "|",
            "|",
            "*",
            "+",
            "?",
            "*?",
            "++",
            "{3}",
            "{0,5}",
            "{40,}",
            "{1000}",
            "{2147483647}",
            "[ab]",
            "[]a]",
            "[a[b]&&[^)]]",
            "\\Q(|\\E",
            "\\(",
            "\\x{61}",
            "\\p{L}",
            "\\b{g}",
            "(?i)",
            "(?s:",
            "\\z",
            "\\s*",
            "\\w?");

    static Stream<String> silent() {
        return Stream.of(
                "(?:){2147483647}",
                "(?:(?:){2147483647}){2147483647}",
                "(){1000}",
                "^{1000}{1000}",
                "(?:|)".repeat(40) + "(?!)",
                "x" + "(?:|)".repeat(40) + "(?!)",
                "(?:\\Q\\E|)".repeat(40) + "(?!)",
                "(a*)*".repeat(40) + "(?!)",
                "(?:[]()]?|)".repeat(40) + "(?!)",
                "(?:\\b{g}|\\b|)".repeat(40) + "(?!)",
                "(?:(?:(?:|){4}){4}){4}(?!)",
                "(?=^{2147483647})",
                "(?<=^(?:" + "a".repeat(9_000) + "|))b",
                "(?<=^(?:(?:a{0,99}){0,99}))b",
                "()\\1{2147483647}",
                "a{2147483647}b",
                "(?:a{1000}){1001}",
                "(?x)(?: | )#",
                "a".repeat(20_000));
    }

    @ParameterizedTest
    @MethodSource("silent")
    void silentExpressionsAreRefused(String expression) {
        assertThatExceptionOfType(PatternException.class)
                .isThrownBy(() -> TimedPattern.compile(expression, 0, AbortSignal.never()));
        assertThatCode(() -> TimedPattern.compile(expression, Pattern.LITERAL, AbortSignal.never()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listening on|ready in \\d+ m?s",
                "^\\s*(?:public|private|protected)?\\s*(?:static\\s+)?(?:final\\s+)?class\\s+(\\w+)",
                "(^|[^\\w.])(foo|bar|)(?=$|\\W)",
                "(?i)\\b(?:TODO|FIXME|XXX)\\b:?\\s*(.*)$",
                "(?<![\\w$])\\$\\{?([A-Za-z_]\\w*)\\}?(?!\\w)",
                "^.{121,}$",
                "(\\d{1,3}\\.){3}\\d{1,3}(:\\d{1,5})?(/\\S*)?",
                "(['\"])(?:\\\\.|(?!\\1).)*\\1",
                "^(?=.*error)(?!.*ignored)(?:.*)$",
                "(?<=^|,)\\s*\"?([^\",]*)\"?\\s*(?=,|$)",
                "[\\[\\](){}]|\\Q(?:|)(?:|)(?:|)\\E",
                "\\p{Lu}\\p{Ll}{0,1000}\\b",
            })
    void usualExpressionsAreAccepted(String expression) {
        assertThatCode(() -> TimedPattern.compile(expression, 0, AbortSignal.never()))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\w?\\b{g}\\(", "[a]\\w?\\b{g}\\("})
    void faultOfEngineRefusesExpression(String expression) {
        TimedPattern pattern = TimedPattern.compile(expression, 0, AbortSignal.never());

        assertThatExceptionOfType(PatternException.class)
                .isThrownBy(() -> pattern.find("aa"))
                .withMessageContaining("at the end of a line");
    }

    /** Those that are accepted end, without a fault of the engine: the platform's is the referee. */
    @Test
    void randomExpressionsAreRefusedOrEnd() {
        Random random = new Random(7);
        List<String> texts = List.of("", "a", "abab", "b".repeat(300) + ")");
        assertTimeoutPreemptively(PATIENCE, () -> {
            int accepted = 0;
            for (int round = 0; round < ROUNDS; round++) {
                accepted += isAccepted(expression(random), texts) ? 1 : 0;
            }
            assertThat(accepted).isBetween(1, ROUNDS - 1);
        });
    }

    private static boolean isAccepted(String expression, List<String> texts) {
        try {
            TimedPattern pattern = TimedPattern.compile(expression, 0, AbortSignal.never());
            for (String text : texts) {
                var unused = pattern.find(text);
            }
            return true;
        } catch (PatternException refused) {
            return false;
        }
    }

    /** Returns one that the platform accepts. */
    private static String expression(Random random) {
        while (true) {
            StringBuilder text = new StringBuilder();
            for (int piece = random.nextInt(24); piece >= 0; piece--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            try {
                return Pattern.compile(text.toString()).pattern();
            } catch (PatternSyntaxException malformed) {
                // another one
            }
        }
    }
}
