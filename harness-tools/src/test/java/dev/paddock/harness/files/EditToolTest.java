package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EditToolTest extends FileToolTest {

    private ToolResult edit(String path, String old, String fresh) {
        return bench.call("edit", "path", path, "old_string", old, "new_string", fresh);
    }

    @Test
    void singleOccurrenceIsReplaced() throws IOException {
        bench.put("a", "one\ntwo\nthree\n");
        assertThat(edit("a", "two", "2"))
                .returns("Edited a at line 2", ToolResult::text)
                .returns(false, ToolResult::isError)
                .returns(
                        "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
                        result -> result.details().text("diff").orElseThrow());
        assertThat(bench.get("a")).isEqualTo("one\n2\nthree\n");
    }

    @Test
    void replacementIsLiteral() throws IOException {
        bench.put("a", "x = OLD;\n");
        edit("a", "OLD", "$& $$ $1 \\1 ${x} \\n");
        assertThat(bench.get("a")).isEqualTo("x = $& $$ $1 \\1 ${x} \\n;\n");
    }

    @Test
    void absentTextIsError() throws IOException {
        bench.put("a", "if (x) {\n    y();\n}\n");
        assertRefused(edit("a", "nothing", "x"), "old_string was not found in a. Read the file and copy");
        assertRefused(edit("a", "if (x) {\n\ty();", "z"), "Lines 1-2 would match but for white space");
        assertRefused(edit("a", "y( );".replace(" ", "") + " ", "z"), "Line 2 would match but for white space");
        assertRefused(edit("a", "     2\t    y();", "z"), "leave out the number and the tab");
        assertThat(bench.get("a")).isEqualTo("if (x) {\n    y();\n}\n");
    }

    @Test
    void severalOccurrencesAreCountedOverlappingOnesToo() throws IOException {
        bench.put("a", "x\nababa\nx\nx\n");
        assertRefused(edit("a", "aba", "c"), "occurs 2 times in a (lines 2, 2)");
        assertRefused(edit("a", "x", "c"), "occurs 3 times in a (lines 1, 3, 4)");
        assertThat(bench.get("a")).isEqualTo("x\nababa\nx\nx\n");
    }

    private ToolResult editAll(String path, String old, String fresh) {
        return bench.call("edit", "path", path, "old_string", old, "new_string", fresh, "replace_all", true);
    }

    @Test
    void everyOccurrenceIsReplacedOnRequest() throws IOException {
        bench.put("a", "x\nababa\nx\nx\n");
        assertThat(editAll("a", "x", "xx"))
                .returns("Edited a at line 1, and 2 more; 3 in all", ToolResult::text)
                .returns(3L, result -> result.details().integer("replacements").orElseThrow());
        assertThat(bench.get("a")).isEqualTo("xx\nababa\nxx\nxx\n");
        editAll("a", "aba", "c");
        assertThat(bench.get("a"))
                .as("occurrences that overlap a replaced one stay")
                .isEqualTo("xx\ncba\nxx\nxx\n");
        assertThat(editAll("a", "c", "d").text()).isEqualTo("Edited a at line 2");
        assertRefused(editAll("a", "absent", "d"), "was not found in a");
    }

    @Test
    void everyReplacementHasLineEndsOfItsPlace() throws IOException {
        bench.put("dos", "one\r\nx\r\none\r\n");
        editAll("dos", "one\n", "1\n2\n");
        assertThat(bench.get("dos")).isEqualTo("1\r\n2\r\nx\r\n1\r\n2\r\n");
        bench.put("dos", "one\r\nx\r\none\r\n");
        editAll("dos", "one", "1\n2");
        assertThat(bench.get("dos")).isEqualTo("1\r\n2\r\nx\r\n1\r\n2\r\n");
    }

    @Test
    void manyReplacementsTakeTimeInProportionAndHaveBound() throws IOException {
        bench.put("a", "a\r\n".repeat(1_000_000));
        assertThat(editAll("a", "a", "b").details().integer("replacements").orElseThrow())
                .isEqualTo(1_000_000);
        assertThat(bench.get("a")).isEqualTo("b\r\n".repeat(1_000_000));
        assertRefused(editAll("a", "b", "b".repeat(1_000)), "would grow beyond 10485760 bytes");
    }

    @Test
    void countingTakesTimeInProportionWhateverRepeats() throws IOException {
        bench.put("a", "a".repeat(2_000_000) + "\n");
        assertRefused(edit("a", "a".repeat(1_000_000), "c"), "occurs 1000001 times in a (lines 1, 1, 1, 1, 1, …)");
    }

    @Test
    void emptyAndUnchangedReplacementsAreRefused() throws IOException {
        bench.put("a", "x\n");
        assertRefused(edit("a", "", "y"), "old_string is empty");
        assertRefused(edit("a", "x", "x"), "the same");
        bench.put("b", "x\r\ny\r\n");
        assertRefused(edit("b", "x\ny", "x\r\ny"), "as it is");
    }

    @Test
    void crLfIsMatchedByLineFeedsAndKept() throws IOException {
        bench.put("dos", "\ufeffone\r\ntwo\r\nthree\r\n");
        assertThat(edit("dos", "one\ntwo\n", "1\n2\nand a half\n").isError()).isFalse();
        assertThat(bench.get("dos")).isEqualTo("\ufeff1\r\n2\r\nand a half\r\nthree\r\n");
        edit("dos", "three", "3\n4");
        assertThat(bench.get("dos")).isEqualTo("\ufeff1\r\n2\r\nand a half\r\n3\r\n4\r\n");
        edit("dos", "\n4", "");
        assertThat(bench.get("dos")).isEqualTo("\ufeff1\r\n2\r\nand a half\r\n3\r\n");
        edit("dos", "2\r\n", "two\r\n");
        assertThat(bench.get("dos")).isEqualTo("\ufeff1\r\ntwo\r\nand a half\r\n3\r\n");
    }

    @Test
    void mixedLineEndsStayAsTheyAre() throws IOException {
        bench.put("mixed", "a\nb\r\nc\nd\r\ne");
        edit("mixed", "a\nb\nc", "a\nB\nc");
        assertThat(bench.get("mixed")).isEqualTo("a\nB\nc\nd\r\ne");
        assertThat(edit("mixed", "d\ne", "D\nE").isError()).isFalse();
        assertThat(bench.get("mixed")).isEqualTo("a\nB\nc\nD\r\nE");
    }

    @Test
    void bytesThatAreNotUtf8AreKept() throws IOException {
        byte[] before = {'a', (byte) 0x81, (byte) 0x8d, '\n', 'b', '\n', (byte) 0xc3};
        Files.write(bench.worktree.resolve("broken"), before);
        assertRefused(edit("broken", "b", "é"), "its encoding is not known");
        edit("broken", "b", "ok");
        assertThat(Files.readAllBytes(bench.worktree.resolve("broken")))
                .containsExactly('a', 0x81, 0x8d, '\n', 'o', 'k', '\n', 0xc3);
        assertRefused(edit("broken", "\ud800", "x"), "half of a surrogate pair");
    }

    @Test
    void modeIsKeptAndNoOtherFileIsLeft() throws IOException {
        Path file = bench.put("run.sh", "echo one\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        edit("run.sh", "one", "two");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x--x");
        try (var entries = Files.list(bench.worktree)) {
            assertThat(entries).containsExactly(file);
        }
    }

    @Test
    void fileThatIsReadOnlyByItsModeIsNotReplaced() throws IOException {
        Path file = bench.put("a", "x\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertRefused(edit("a", "x", "y"), "read-only by its mode");
        assertThat(bench.get("a")).isEqualTo("x\n");
    }

    @Test
    void hardLinkElsewhereKeepsItsContent() throws IOException {
        Path shared = bench.outside.resolve("shared");
        Files.writeString(shared, "x\n");
        Files.createLink(bench.worktree.resolve("a"), shared);
        assertThat(edit("a", "x", "y").isError()).isFalse();
        assertThat(shared).hasContent("x\n");
        assertThat(bench.get("a")).isEqualTo("y\n");
    }

    @Test
    void editsOfOneFileFollowOneAnother() throws Exception {
        int edits = 48;
        bench.put("a", IntStream.range(0, edits).mapToObj(i -> "<" + i + ">\n").collect(Collectors.joining()));
        bench.link("alias", "a");
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<ToolResult>> results = IntStream.range(0, edits)
                    .mapToObj(i -> threads.submit(() -> {
                        start.await();
                        return edit(i % 2 == 0 ? "a" : "alias", "<" + i + ">", "[" + i + "]");
                    }))
                    .toList();
            start.countDown();
            for (Future<ToolResult> result : results) {
                assertThat(result.get().text()).startsWith("Edited");
            }
        }
        assertThat(bench.get("a"))
                .isEqualTo(
                        IntStream.range(0, edits).mapToObj(i -> "[" + i + "]\n").collect(Collectors.joining()));
        assertThat(bench.worktree.resolve("alias")).isSymbolicLink();
    }

    @Test
    void changeBetweenReadAndWriteIsNotOverwritten() throws IOException {
        Path file = bench.put("a", "one\n");
        try (Location where = bench.files.locateForWriting("a");
                AtomicWrite write = new AtomicWrite(where, where.root(), AbortSignal.never())) {
            write.prepare("mine\n".getBytes(StandardCharsets.UTF_8));
            Files.writeString(file, "theirs, longer\n");
            assertThatThrownBy(() -> write.commit(where.attributes()))
                    .isInstanceOf(FileException.class)
                    .hasMessageContaining("was changed by something else");
        }
        try (var entries = Files.list(bench.worktree)) {
            assertThat(entries).containsExactly(file);
        }
        assertThat(bench.get("a")).isEqualTo("theirs, longer\n");
    }

    @Test
    void diffIsOneThatPatchApplies() throws Exception {
        String before = IntStream.range(0, 40).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining()) + "end";
        bench.put("a", before);
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.writeString(copy.resolve("a"), before);
        String old = before.substring(before.indexOf("line 10\n"), before.indexOf("line 30\n"));
        ToolResult result = edit("a", old, old.replace("line 12", "LINE 12").replace("line 28\n", ""));
        applies(copy, result);
        applies(copy, edit("a", "end", "END\n"));
        applies(copy, edit("a", "line 0\n", ""));
        String all = bench.get("a");
        applies(copy, edit("a", all, "x\n".repeat(3_000)));
    }

    private void applies(Path copy, ToolResult result) throws Exception {
        Path diff = Files.writeString(
                directory.resolve("diff"), result.details().text("diff").orElseThrow());
        Process apply = new ProcessBuilder("git", "apply", diff.toString())
                .directory(copy.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(apply.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(apply.waitFor()).as(output).isZero();
        assertThat(copy.resolve("a")).hasContent(bench.get("a"));
    }
}
