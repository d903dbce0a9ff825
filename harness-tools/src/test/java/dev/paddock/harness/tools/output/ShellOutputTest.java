package dev.paddock.harness.tools.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.files.content.TimedPattern;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading a background shell's output in pieces. */
class ShellOutputTest {
    private static final String GRIN = "\uD83D\uDE00";

    @TempDir
    Path logs;

    private ShellOutput output(long capBytes) {
        return new ShellOutput(new LogDirectory(logs, capBytes), "bash_1");
    }

    private static void write(ShellOutput output, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.append(bytes, bytes.length);
    }

    private static String text(ShellOutput.Unread unread) {
        return unread.output().text("(nothing)", unread.notices());
    }

    private static String read(ShellOutput output) {
        return text(output.read(Optional.empty()));
    }

    private static String read(ShellOutput output, String filter) {
        return text(output.read(Optional.of(TimedPattern.compile(filter, 0, AbortSignal.never()))));
    }

    private static String numbered(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }

    @Test
    void eachReadGivesNewOutput() {
        ShellOutput output = output(Long.MAX_VALUE);
        assertThat(read(output)).isEqualTo("(nothing)");
        write(output, "one\ntwo\n");
        assertThat(output.hasUnread()).isTrue();
        assertThat(read(output)).isEqualTo("one\ntwo\n");
        assertThat(read(output)).isEqualTo("(nothing)");
        write(output, "three\n");
        assertThat(read(output)).isEqualTo("three\n");
    }

    @Test
    void lineAndCharacterAreNeverSplitBeforeEnd() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, "whole\nha");
        assertThat(read(output))
                .isEqualTo("whole\n\n[The last line is not complete yet: 2 bytes of it are kept for a later read.]");
        for (byte one : ("lf " + GRIN).getBytes(StandardCharsets.UTF_8)) {
            output.append(new byte[] {one}, 1);
            assertThat(read(output)).startsWith("(nothing)");
        }
        write(output, "\nrest " + GRIN);
        assertThat(read(output)).startsWith("half " + GRIN + "\n\n[");
        output.end();
        assertThat(read(output)).isEqualTo("rest " + GRIN);
        assertThat(read(output)).isEqualTo("(nothing)");
    }

    @Test
    void outputBeyondLimitIsCountedAndInLog() throws IOException {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, numbered(1, 10));
        read(output);
        write(output, numbered(11, 5_000));
        String read = read(output);
        int leftOut = numbered(11, 3_000).length();
        Path log = logs.resolve("bash_1-1.log");
        assertThat(read)
                .startsWith("3001\n3002\n")
                .endsWith("5000\n\n[Showing lines 2991-4990 of 4990 ("
                        + numbered(11, 5_000).length() + " bytes in all, " + leftOut
                        + " of them left out). Full output: " + log + "]");
        assertThat(log).hasContent(numbered(1, 5_000));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    @Test
    void hugeLineIsCutBetweenCharacters() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, "ab" + GRIN.repeat(Tail.MAX_BYTES / 2) + "c\n");
        assertThat(read(output)).startsWith(GRIN).doesNotContain("\uFFFD").contains("the beginning of line 1 is left");
    }

    @Test
    void cappedLogKeepsEndAndCountsLostBytesExactly() throws IOException {
        ShellOutput output = output(1_000);
        String all = numbered(1, 1_000);
        all.lines().forEach(line -> write(output, line + "\n"));
        Path newer = logs.resolve("bash_1-1.log");
        Path older = logs.resolve("bash_1-1.log.older");
        String held = Files.readString(older) + Files.readString(newer);
        assertThat(held.length()).isBetween(500, 1_000);
        assertThat(all).endsWith(held);
        String read = read(output);
        String shown = read.substring(0, read.indexOf("\n\n["));
        assertThat(all).endsWith(shown + "\n");
        assertThat(read)
                .contains(all.length() + " bytes in all, " + (all.length() - shown.length() - 1) + " of them left out")
                .contains("The last " + held.length() + " bytes are in " + older + " and " + newer)
                .contains("of 1000 (");
        write(output, "and on\n");
        assertThat(read(output)).startsWith("and on\n");
    }

    @Test
    void withoutLogsDroppedOutputIsCounted() {
        ShellOutput output = output(0);
        write(output, numbered(1, 100));
        assertThat(read(output))
                .isEqualTo(
                        "[Showing none of 100 (292 bytes in all, 292 of them left out). The rest is lost: this session"
                                + " keeps no logs]");
        assertThat(logs).isEmptyDirectory();
    }

    @Test
    void logResumesAfterFailedWrites() throws IOException {
        Path blocked = Files.writeString(logs.resolve("file"), "in the way");
        ShellOutput output = new ShellOutput(new LogDirectory(blocked, Long.MAX_VALUE), "bash_1");
        write(output, numbered(1, 10));
        assertThat(read(output)).contains("Showing none of 10 (").contains("no log could be written: ");
        Files.delete(blocked);
        write(output, numbered(11, 20));
        assertThat(read(output)).isEqualTo(numbered(11, 20));
    }

    @Test
    void silentShellHasNoLog() {
        ShellOutput output = output(Long.MAX_VALUE);
        assertThat(read(output)).isEqualTo("(nothing)");
        assertThat(logs).isEmptyDirectory();
    }

    @Test
    void concurrentReadersNeverSeeLineTwiceAndNoneIsLost() throws Exception {
        ShellOutput output = output(Long.MAX_VALUE);
        AtomicBoolean written = new AtomicBoolean();
        Callable<List<String>> reading = () -> {
            List<String> lines = new ArrayList<>();
            boolean last;
            do {
                last = written.get();
                lines.addAll(output.read(Optional.empty())
                        .output()
                        .tail()
                        .text()
                        .lines()
                        .toList());
            } while (!last);
            return lines;
        };
        List<String> seen = new ArrayList<>();
        try (ExecutorService readers = Executors.newFixedThreadPool(3)) {
            List<Future<List<String>>> results =
                    IntStream.range(0, 3).mapToObj(i -> readers.submit(reading)).toList();
            for (int from = 1; from <= 20_000; from += 10) {
                write(output, numbered(from, from + 9));
            }
            written.set(true);
            for (Future<List<String>> result : results) {
                seen.addAll(result.get());
            }
        }
        assertThat(seen).doesNotHaveDuplicates();
        assertThat(seen.stream().mapToInt(Integer::parseInt).max()).hasValue(20_000);
    }

    @Test
    void linesThatDoNotMatchAreConsumedAndPartialOneIsKept() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, "error: one\nfine\nerror: two\nerr");
        assertThat(read(output, "^error: \\w+$"))
                .isEqualTo(
                        "error: one\nerror: two\n\n[2 of 3 new lines match the filter; the others are passed over.]\n"
                                + "[The last line is not complete yet: 3 bytes of it are kept for a later read.]");
        write(output, "or: three\n");
        assertThat(read(output, "error")).startsWith("error: three\n").contains("[1 of 1 new line matches");
        assertThat(read(output)).isEqualTo("(nothing)");
        write(output, "fine\n");
        assertThat(read(output, "error"))
                .isEqualTo("(nothing)\n\n[0 of 1 new line matches the filter; the others are" + " passed over.]");
    }

    @Test
    void filterThatBacktracksWithoutEndIsNotAppliedAndNothingIsLost() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, "a".repeat(60) + "!\n");
        // The back-reference disables the engine's memoization: 2 to the power of 60 ways.
        assertThat(read(output, "(a+)+b\\1"))
                .startsWith("aaa")
                .contains("[The filter was not applied, and all new output is given: ");
    }

    @Test
    void abortedReadConsumesNothing() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, "a".repeat(100_000) + "!\n");
        AbortController abort = new AbortController();
        abort.abort();
        TimedPattern slow = TimedPattern.compile("(a+)+b", 0, abort.signal());
        assertThatThrownBy(() -> output.read(Optional.of(slow))).isInstanceOf(AbortedException.class);
        assertThat(read(output)).startsWith("aaa");
    }

    @Test
    void filterExaminesEndOfLargeOutputAndNamesRest() {
        ShellOutput output = output(Long.MAX_VALUE);
        String all = numbered(1, 300_000);
        write(output, all);
        String read = read(output, "^(1|299999|300000)$");
        assertThat(read)
                .startsWith("299999\n300000\n")
                .contains(" were not searched")
                .contains("Full output: ");
        String notice = read.substring(read.indexOf('\n', read.indexOf("passed over.]")) + 1);
        long lines = Long.parseLong(notice.substring(1, notice.indexOf(' ')));
        long bytes = Long.parseLong(notice.substring(notice.indexOf('(') + 1, notice.indexOf(" bytes)")));
        assertThat(bytes).isEqualTo(numbered(1, (int) lines).length());
        assertThat(all.length() - bytes).isBetween(ShellOutput.SEARCHED_BYTES - 10L, (long) ShellOutput.SEARCHED_BYTES);
    }

    @Test
    void moreMatchesThanAreShownAreCounted() {
        ShellOutput output = output(Long.MAX_VALUE);
        write(output, numbered(1, 3_000));
        assertThat(read(output, "."))
                .startsWith("1001\n")
                .contains("[Showing lines 1001-3000 of 3000")
                .contains("[3000 of 3000 new lines match");
    }
}
