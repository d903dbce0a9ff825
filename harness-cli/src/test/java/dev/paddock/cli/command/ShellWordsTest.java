package dev.paddock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShellWordsTest {

    static Stream<List<String>> words() {
        Random random = new Random(20260101);
        return Stream.concat(
                Stream.of(
                        List.of(""),
                        List.of("if", "A=b", "~", "*", "-n", "!"),
                        List.of("it's", "'", "''", "\\", "\\'", "\"", "$HOME", "`id`", "$(id)"),
                        List.of("two\nlines", "end\n", "\t", " ", "# no comment", ";", "&&", "é", "😀")),
                IntStream.range(0, 30).mapToObj(round -> random(random)));
    }

    private static List<String> random(Random random) {
        String letters = "ab'\"\\$` \n\t*?[]{}()<>|&;#~!=-é";
        List<String> words = new ArrayList<>();
        for (int word = 0; word < 1 + random.nextInt(5); word++) {
            StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(12), 0, letters.length()).forEach(at -> text.append(letters.charAt(at)));
            words.add(text.toString());
        }
        return words;
    }

    @ParameterizedTest
    @MethodSource("words")
    void aShellTakesThemApartAgain(List<String> words) throws Exception {
        Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
        try (var stdin = shell.getOutputStream()) {
            stdin.write(("printf '%s\\0' " + ShellWords.join(words)).getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).isEqualTo(String.join("\0", words) + "\0");
        assertThat(shell.waitFor()).isZero();
    }
}
