package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TerminalTextTest {
    private static final int ROUNDS = 20_000;

    /** The characters of control sequences, bytes that are not UTF-8, and text. */
    private static final List<String> PARTS = List.of(
            "\u001b",
            "[",
            "]",
            "P",
            "(",
            "#",
            "?",
            "1;3",
            "m",
            "H",
            "\\",
            "\u0007",
            "\u0018",
            "\b",
            "\0",
            "\u007f",
            "\u0080",
            "\u0084",
            "\u0085",
            "\u0090",
            "\u0098",
            "\u009b",
            "\u009c",
            "\u009d",
            "\u009f",
            "\r",
            "\n",
            "\t",
            "text",
            " ",
            "é",
            "\u00a0",
            "漢",
            "\u200d",
            "\u2028",
            "\ue0b0",
            "\ud83d\ude00");

    private static String shown(byte[] bytes, Random sizes) throws CharacterCodingException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        TerminalText filter = new TerminalText((block, length) -> {
            text.write(block, 0, length);
            return true;
        });
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, sizes.nextInt(1, 9));
            byte[] block = new byte[8];
            System.arraycopy(bytes, at, block, 0, length);
            filter.append(block, length);
            at += length;
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(text.toByteArray()))
                .toString();
    }

    static Stream<Arguments> shownOutputs() {
        return Stream.of(
                arguments("a\u001b[31mb\u001b[0mc", "abc"),
                arguments("a\u009b31mb", "ab"),
                arguments("a\u001b]0;title\u0007b", "ab"),
                arguments("a\u001b]0;title\u001b\\b", "ab"),
                arguments("a\u009dtitle\u009cb", "ab"),
                arguments("a\u001bPq#0;2\u0018b", "ab"),
                arguments("a\u001b(Bb\u001b#8c\u001b=d", "abcd"),
                arguments("a\u001b]never ends\nb", "a\nb"),
                arguments("a\u001b[31\nb", "a\nb"),
                arguments("a\u001b[3\u00e9b", "a\u00e9b"),
                arguments("a\u0085b\u0084c", "abc"),
                arguments("ab\bc\0\u007f", "abc"),
                arguments("a\tb \u00e9\u6f22\ud83d\ude00\u200d", "a\tb \u00e9\u6f22\ud83d\ude00\u200d"),
                arguments("a\r\nb\rc\n\nd\r\r\ne", "a\nb\nc\n\nd\n\ne"));
    }

    @ParameterizedTest
    @MethodSource("shownOutputs")
    void sequencesAreRemovedAndLinesStay(String output, String expected) throws Exception {
        assertThat(shown(output.getBytes(StandardCharsets.UTF_8), new Random(1)))
                .isEqualTo(expected);
    }

    @Test
    void bytesThatAreNotUtf8AreReplacedAndNotObeyed() throws Exception {
        byte[] output = {'a', (byte) 0x9b, '3', '1', 'm', (byte) 0xe6, 'b', (byte) 0xc3, (byte) 0xa9};
        assertThat(shown(output, new Random(1))).isEqualTo("a\ufffd31m\ufffdbé");
    }

    @Test
    void nothingButTextPassesWhateverArrivesInWhateverBlocks() throws Exception {
        long seed = Long.getLong("paddock.terminal.seed", 1);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            ByteArrayOutputStream output = new ByteArrayOutputStream();
            for (int part = random.nextInt(12); part >= 0; part--) {
                if (random.nextInt(8) == 0) {
                    output.write(random.nextInt(256));
                } else {
                    output.writeBytes(PARTS.get(random.nextInt(PARTS.size())).getBytes(StandardCharsets.UTF_8));
                }
            }
            byte[] bytes = output.toByteArray();
            String text = shown(bytes, random);
            String about = "round " + round + ", -Dpaddock.terminal.seed=" + seed;
            assertThat(text.chars().filter(one -> one != '\n' && one != '\t'))
                    .as(about)
                    .noneMatch(Character::isISOControl);
            assertThat(shown(bytes, random)).as("in other blocks, " + about).isEqualTo(text);
            assertThat(shown(text.getBytes(StandardCharsets.UTF_8), random))
                    .as("text stays as it is, " + about)
                    .isEqualTo(text);
            assertThat(text.lines().count())
                    .as("no sequence hides a line, " + about)
                    .isGreaterThanOrEqualTo(linesWithText(bytes));
        }
    }

    /** Counts the lines that begin with a letter: text for sure, after the end of any sequence. */
    private static long linesWithText(byte[] bytes) {
        String all = new String(bytes, StandardCharsets.UTF_8);
        return all.lines()
                .filter(line -> !line.isEmpty() && Character.isLetter(line.charAt(0)))
                .count();
    }
}
