package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a result shows of an output that is longer than a client takes. */
class MaxOutputTest {
    private static final int MOST = 1_000;

    @TempDir
    Path logs;

    private Captured captured(String output) {
        OutputCapture capture = new OutputCapture(new LogDirectory(logs, Long.MAX_VALUE), MOST);
        byte[] bytes = output.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += 777) {
            int length = Math.min(777, bytes.length - at);
            byte[] block = new byte[length];
            System.arraycopy(bytes, at, block, 0, length);
            capture.append(block, length);
        }
        capture.seal();
        return capture.captured();
    }

    private static String lines(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }

    /** Beyond 2,000 lines and 256 KiB the beginning is kept apart from the end. */
    @ParameterizedTest
    @CsvSource({"150", "1900", "2500", "50000"})
    void beginningAndEndAreShown(int lines) throws Exception {
        Captured captured = captured(lines(1, lines));
        String text = captured.text("", List.of("[more]"), false, MOST);
        assertThat(text).startsWith(lines(1, 50)).endsWith("line " + lines + "\n\n[more]");
        assertThat(text)
                .containsPattern("\nline \\d+\n\\[The middle is left out, of " + lines
                        + " lines and \\d+ bytes in all. " + "Full output: .*\\]\nline \\d+\n");
        String shown = text.replaceAll("\\[(The middle|more).*\\]\n?", "");
        assertThat(shown.length()).isBetween(MOST * 8 / 10, MOST + 2);
        Map<String, Object> details = new HashMap<>();
        captured.describe(details, false, MOST);
        assertThat(details).containsEntry("truncated", true);
        assertThat(Files.readString(Path.of(String.valueOf(details.get("log")))))
                .isEqualTo(lines(1, lines));
    }

    @Test
    void shortOutputIsShownWhole() {
        for (String output : List.of("", "short\n", "x".repeat(MOST), "\n".repeat(900))) {
            Captured captured = captured(output);
            assertThat(captured.text("", List.of(), false, MOST)).isEqualTo(output);
            Map<String, Object> details = new HashMap<>();
            captured.describe(details, false, MOST);
            assertThat(details).containsEntry("truncated", false);
        }
    }

    /** 2,300 empty lines are more than the end has, and less than the bound. */
    @Test
    void noLineIsMissingOrShownTwiceWhereBeginningAndEndMeet() {
        OutputCapture capture = new OutputCapture(new LogDirectory(logs, Long.MAX_VALUE), 3_000);
        byte[] output = ("a\n" + "\n".repeat(2_300) + "z\n").getBytes(StandardCharsets.UTF_8);
        capture.append(output, output.length);
        capture.seal();
        assertThat(capture.captured().text("", List.of(), false, 3_000))
                .isEqualTo(new String(output, StandardCharsets.UTF_8));
    }

    @Test
    void noCharacterIsCutInHalf() {
        String text = captured("😀".repeat(5_000)).text("", List.of(), false, 999);
        assertThat(text.codePoints().filter(point -> Character.isSurrogate((char) point) && point < 0x10000))
                .isEmpty();
        assertThat(text).startsWith("😀").endsWith("😀").contains("[The middle is left out, of 1 lines");
    }

    @Test
    void progressBarTakesRoomOfItsLastState() {
        String bar = IntStream.rangeClosed(0, 500)
                .mapToObj(i -> "\r" + i / 5 + "% done")
                .collect(Collectors.joining());
        Captured captured = captured("start\n" + bar + "\nend\n");
        assertThat(captured.text("", List.of(), false, MOST)).isEqualTo("start\n100% done\nend\n");
        assertThat(captured.text("", List.of(), true, MOST)).contains("The middle is left out");
    }

    @Test
    void backgroundShellShowsBeginningOfWhatIsNew() {
        ShellOutput output = new ShellOutput(new LogDirectory(logs, Long.MAX_VALUE), "bash_1");
        byte[] before = lines(1, 10).getBytes(StandardCharsets.UTF_8);
        output.append(before, before.length);
        assertThat(output.read(Optional.empty(), MOST).output().text("", List.of(), false, MOST))
                .isEqualTo(lines(1, 10));
        byte[] next = lines(11, 60_000).getBytes(StandardCharsets.UTF_8);
        output.append(next, next.length);
        String text = output.read(Optional.empty(), MOST).output().text("", List.of(), false, MOST);
        assertThat(text).startsWith(lines(11, 50)).endsWith("line 60000\n").contains("[The middle is left out");
        assertThat(text.length()).isLessThan(MOST + 300);
        output.close();
    }
}
