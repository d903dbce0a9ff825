package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which part of an output is kept, and the notice about the rest. */
class TailTest {
    private static final String GRIN = "\uD83D\uDE00";

    @TempDir
    Path logs;

    @Test
    void exactly2000LinesAreWholeWithAndWithoutFinalNewline() {
        String lines = numbered(2_000);
        assertWhole(lines, 2_000);
        assertWhole(lines.substring(0, lines.length() - 1), 2_000);
        assertThat(logs).isEmptyDirectory();
    }

    @Test
    void outputBeyondLineLimitDropsFirstLine() {
        for (String text : new String[] {numbered(2_001), numbered(2_000) + "x"}) {
            Captured captured = capture(text);
            assertThat(captured.tail().firstLine()).isEqualTo(2);
            assertThat(captured.tail().totalLines()).isEqualTo(2_001);
            assertThat(captured.tail().text()).isEqualTo(text.substring(2));
            assertThat(captured.notice())
                    .hasValueSatisfying(notice -> assertThat(notice)
                            .contains("lines 2-2001 of 2001")
                            .contains(text.length() + " bytes in all, 2 of them left out")
                            .contains("Full output: " + logs));
            assertThat(logOf(captured)).isEqualTo(text);
        }
    }

    @Test
    void outputUpToByteLimitIsWhole() {
        assertWhole("x".repeat(Tail.MAX_BYTES - 1), 1);
        assertWhole("x".repeat(Tail.MAX_BYTES), 1);
        assertWhole("y".repeat(99) + "\n" + "x".repeat(Tail.MAX_BYTES - 101) + "\n", 2);
    }

    @Test
    void outputBeyondByteLimitIsCutAtLine() {
        String text = "y".repeat(99) + "\n" + "x".repeat(Tail.MAX_BYTES - 100) + "\n";
        assertThat(text).hasSize(Tail.MAX_BYTES + 1);
        Captured captured = capture(text);
        assertThat(captured.tail().text()).isEqualTo(text.substring(100));
        assertThat(captured.tail().cutsLine()).isFalse();
        assertThat(captured.tail().firstLine()).isEqualTo(2);
    }

    @Test
    void tailThatBeginsExactlyAtLineIsKeptWhole() {
        String text = "first\n" + "x".repeat(Tail.MAX_BYTES - 1) + "\n";
        Captured captured = capture(text);
        assertThat(captured.tail().text()).isEqualTo(text.substring(6));
        assertThat(captured.tail().cutsLine()).isFalse();
    }

    @Test
    void singleHugeLineIsCutBetweenCharacters() {
        // An odd byte at the start, so that the cut falls within a character.
        String text = "ab" + GRIN.repeat(Tail.MAX_BYTES / 4) + "c";
        Captured captured = capture(text);
        assertThat(captured.tail().text())
                .doesNotContain("\uFFFD")
                .isEqualTo(GRIN.repeat(Tail.MAX_BYTES / 4 - 1) + "c");
        assertThat(captured.tail().cutsLine()).isTrue();
        assertThat(captured.notice())
                .hasValueSatisfying(notice ->
                        assertThat(notice).contains("line 1 of 1").contains("the beginning of line 1 is left out"));
        assertThat(logOf(captured)).isEqualTo(text);
    }

    @Test
    void shortLineAfterHugeOneDoesNotHideIt() {
        Captured captured = capture("x".repeat(1_000_000) + "\ndone\n");
        assertThat(captured.tail().text())
                .hasSize(Tail.MAX_BYTES)
                .startsWith("xxx")
                .endsWith("x\ndone\n");
        assertThat(captured.tail().cutsLine()).isTrue();
        assertThat(captured.tail().firstLine()).isEqualTo(1);
        assertThat(captured.tail().totalLines()).isEqualTo(2);
    }

    @Test
    void bytesThatAreNoTextDoNotDisturbCount() {
        byte[] bytes = new byte[3 * Tail.MAX_BYTES];
        new Random(42).nextBytes(bytes);
        OutputCapture capture = capture();
        capture.append(bytes, bytes.length);
        Captured captured = sealed(capture);
        long newlines =
                IntStream.range(0, bytes.length).filter(i -> bytes[i] == '\n').count();
        assertThat(captured.tail().totalLines()).isEqualTo(newlines + (bytes[bytes.length - 1] == '\n' ? 0 : 1));
        assertThat(captured.log().files().getFirst()).hasBinaryContent(bytes);
    }

    @Test
    void newlinesAreCountedExactlyInAnyBytes() {
        Random random = new Random(7);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i++) {
                // Newlines, their neighbors, and bytes that differ from those in the highest bit
                // alone.
                bytes[i] = random.nextBoolean() ? bytes[i] : new byte[] {9, 10, 11, (byte) 0x8A, 0}[random.nextInt(5)];
            }
            int length = random.nextInt(bytes.length + 1);
            long expected =
                    IntStream.range(0, length).filter(i -> bytes[i] == '\n').count();
            assertThat(TailBuffer.countNewlines(bytes, length)).isEqualTo((int) expected);
        }
    }

    @Test
    void charactersWrittenOneByteAtTimeAreWhole() {
        String text = GRIN.repeat(1_000) + "\n";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        OutputCapture capture = capture();
        for (byte one : bytes) {
            capture.append(new byte[] {one}, 1);
            assertThat(capture.soFar()).doesNotContain("\uFFFD");
        }
        assertThat(sealed(capture).tail().text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4_096, 8_191, 65_536, 300_000})
    void tailIsSameForAnyBlockSize(int blockSize) {
        String text = IntStream.range(0, 60_000)
                .mapToObj(i -> i % 7 == 0 ? i + GRIN + "é" : Integer.toString(i))
                .collect(Collectors.joining("\n"));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        OutputCapture capture = capture();
        for (int at = 0; at < bytes.length; at += blockSize) {
            int length = Math.min(blockSize, bytes.length - at);
            byte[] block = new byte[length];
            System.arraycopy(bytes, at, block, 0, length);
            capture.append(block, length);
        }
        Captured captured = sealed(capture);
        assertThat(captured.tail().firstLine()).isEqualTo(58_001);
        assertThat(captured.tail().totalBytes()).isEqualTo(bytes.length);
        assertThat(captured.tail().text().lines().findFirst())
                .hasValue(text.lines().skip(58_000).findFirst().orElseThrow());
        assertThat(logOf(captured)).isEqualTo(text);
    }

    @Test
    void emptyOutputReadsNoOutput() {
        Captured captured = sealed(capture());
        assertThat(captured.text(Captured.NO_OUTPUT, List.of())).isEqualTo("(no output)");
        assertThat(captured.notice()).isEmpty();
    }

    @Test
    void logIsCappedAndTotalsAreNot() {
        OutputCapture capture = new OutputCapture(new LogDirectory(logs, 300_000));
        byte[] block = "0123456789\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);
        capture.append(block, block.length);
        Captured captured = sealed(capture);
        assertThat(captured.log().files().getFirst()).hasSize(300_000);
        assertThat(captured.tail().totalBytes()).isEqualTo(block.length);
        assertThat(captured.notice())
                .hasValueSatisfying(notice -> assertThat(notice).contains("The first 300000 bytes are in"));
    }

    @Test
    void logIsForItsOwnerAlone() throws IOException {
        Captured captured = capture(numbered(3_000));
        Path file = captured.log().files().getFirst();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void logThatCannotBeMadeIsReportedAndNothingElseIsLost() throws IOException {
        Path blocked = Files.writeString(logs.resolve("file"), "in the way");
        OutputCapture capture = new OutputCapture(new LogDirectory(blocked, Long.MAX_VALUE));
        byte[] block = numbered(3_000).getBytes(StandardCharsets.UTF_8);
        capture.append(block, block.length);
        Captured captured = sealed(capture);
        assertThat(captured.tail().firstLine()).isEqualTo(1_001);
        assertThat(captured.notice())
                .hasValueSatisfying(notice -> assertThat(notice).contains("no log could be written"));
    }

    private void assertWhole(String text, long lines) {
        Captured captured = capture(text);
        assertThat(captured.tail().text()).isEqualTo(text);
        assertThat(captured.notice()).isEmpty();
        assertThat(captured.tail().totalLines()).isEqualTo(lines);
        assertThat(captured.tail().totalBytes()).isEqualTo(text.length());
    }

    private OutputCapture capture() {
        return new OutputCapture(new LogDirectory(logs, Long.MAX_VALUE));
    }

    private Captured capture(String text) {
        OutputCapture capture = capture();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        capture.append(bytes, bytes.length);
        return sealed(capture);
    }

    private static Captured sealed(OutputCapture capture) {
        capture.seal();
        return capture.captured();
    }

    private static String logOf(Captured captured) {
        try {
            return Files.readString(captured.log().files().getFirst());
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static String numbered(int lines) {
        return IntStream.rangeClosed(1, lines).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }
}
