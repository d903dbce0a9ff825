package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortController;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadToolTest extends FileToolTest {

    @Test
    void linesAreNumberedFrom1() throws IOException {
        bench.put("a.txt", "one\ntwo\nthree");
        assertThat(bench.call("read", "path", "a.txt"))
                .returns("     1\tone\n     2\ttwo\n     3\tthree", ToolResult::text)
                .returns(false, ToolResult::isError);
        assertThat(bench.call("read", "path", "a.txt", "offset", 2, "limit", 1).text())
                .isEqualTo("     2\ttwo\n[Lines 2-2 of 3. Read on with offset=3.]");
        assertThat(bench.call("read", "path", "a.txt", "offset", 3).text()).isEqualTo("     3\tthree");
    }

    @Test
    void readsTwoThousandLinesUnlessMoreAreAskedFor() throws IOException {
        bench.put("a.txt", lines(2_001, "x"));
        String text = bench.call("read", "path", "a.txt").text();
        assertThat(text)
                .contains("  2000\tx")
                .doesNotContain("2001\tx")
                .endsWith("[Lines 1-2000 of 2001. Read on with offset=2001.]");
        assertThat(bench.call("read", "path", "a.txt", "limit", 5000).text()).endsWith("  2001\tx");
    }

    @Test
    void offsetPastEndIsErrorThatNamesLines() throws IOException {
        bench.put("a.txt", "one\ntwo\n");
        assertThat(bench.call("read", "path", "a.txt", "offset", 3))
                .returns(true, ToolResult::isError)
                .returns("offset 3 is past the end: a.txt has 2 lines", ToolResult::text);
        bench.put("empty", "");
        assertThat(bench.call("read", "path", "empty")).returns("(empty is empty)", ToolResult::text);
        assertThat(bench.call("read", "path", "empty", "offset", 2).isError()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"offset,0", "offset,-1", "limit,0"})
    void numbersOutOfRangeAreRefused(String name, int value) throws IOException {
        bench.put("a.txt", "one");
        assertThat(bench.call("read", "path", "a.txt", name, value))
                .returns(true, ToolResult::isError)
                .returns("'" + name + "' is " + value + ". Give a whole number, 1 or more", ToolResult::text);
    }

    @Test
    void readsAtMost256KiBAndNamesNextOffset() throws IOException {
        bench.put("a.txt", lines(1_000, "é".repeat(900)));
        ToolResult first = bench.call("read", "path", "a.txt");
        int shown = (int) first.details().integer("lastLine").orElseThrow();
        assertThat(first.text().getBytes(StandardCharsets.UTF_8).length).isBetween(258_000, 262_144 + 200);
        assertThat(first.text())
                .endsWith("[Lines 1-" + shown + " of 1000, cut at 262144 bytes. Read on with offset=" + (shown + 1)
                        + ".]");
        assertThat(bench.call("read", "path", "a.txt", "offset", shown + 1).text())
                .startsWith(String.format("%6d\té", shown + 1));
    }

    @Test
    void longLinesAreCutWithNote() throws IOException {
        bench.put("a.txt", "x".repeat(1_999) + "😀" + "y".repeat(100_000) + "\nshort\n");
        String text = bench.call("read", "path", "a.txt").text();
        assertThat(text)
                .isEqualTo("     1\t" + "x".repeat(1_999) + " … [cut: the line has 102003 bytes]\n     2\tshort");
    }

    @Test
    void binaryAndImageFilesAreRecognised() throws IOException {
        Files.write(
                bench.worktree.resolve("i.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0});
        Files.write(bench.worktree.resolve("b"), new byte[] {'a', 0, 'b'});
        assertThat(bench.call("read", "path", "i.png"))
                .returns(true, ToolResult::isError)
                .returns("i.png begins like an image, but its header is damaged; it is not shown", ToolResult::text);
        assertThat(bench.call("read", "path", "b").text())
                .isEqualTo("b is a binary file, 3 bytes; it is not shown as text");
        bench.put("BZh.txt", "BZh is how bzip2 data starts\n");
        assertThat(bench.call("read", "path", "BZh.txt").isError()).isFalse();
    }

    @Test
    void invalidUtf8IsShownWithReplacementsAndReported() throws IOException {
        Files.write(bench.worktree.resolve("a"), new byte[] {(byte) 0x81, (byte) 0x8d, '\n', 'o', 'k', '\n'});
        assertThat(bench.call("read", "path", "a").text())
                .isEqualTo("     1\t\ufffd\ufffd\n     2\tok\n"
                        + "[Not valid UTF-8 on 1 line; what could not be decoded is shown as \ufffd.]");
    }

    @Test
    void crLfAndByteOrderMarkAreNotPartOfLines() throws IOException {
        bench.put("dos", "\ufeffone\r\ntwo\r\n");
        assertThat(bench.call("read", "path", "dos").text())
                .isEqualTo("     1\tone\n     2\ttwo\n[The lines end with CR LF; edit and write keep that.]");
    }

    @Test
    void directoryPointsToLs() throws IOException {
        bench.put("d/f", "x");
        for (String path : new String[] {"d", "d/", ".", "/work"}) {
            assertThat(bench.call("read", "path", path))
                    .returns(true, ToolResult::isError)
                    .satisfies(result -> assertThat(result.text()).endsWith("is a directory. List it with ls"));
        }
    }

    @Test
    void missingFileIsError() {
        assertThat(bench.call("read", "path", "nope/x"))
                .returns(true, ToolResult::isError)
                .returns("no such file or directory: nope/x. Look with ls or find for what is there", ToolResult::text);
    }

    @Test
    void pipesAreRefusedWithoutBlocking() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", bench.worktree.resolve("p").toString())
                        .start()
                        .waitFor())
                .isZero();
        for (String tool : new String[] {"read", "edit", "write", "grep"}) {
            ToolResult result =
                    bench.call(tool, "path", "p", "content", "x", "pattern", "x", "old_string", "a", "new_string", "b");
            assertThat(result.isError()).as(tool).isTrue();
            assertThat(result.text()).as(tool).contains("a pipe, a socket or a device");
        }
        bench.put("d/f", "x");
        assertThat(bench.call("ls", "path", "p/x").text()).contains("not a directory");
        assertThat(bench.call("grep", "pattern", "x").text()).isEqualTo("d/f:1: x");
    }

    @Test
    void hugeFileIsNeitherLoadedNorCountedToEnd() throws IOException {
        Path huge = bench.worktree.resolve("huge");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.write(lines(50_000, "line").getBytes(StandardCharsets.UTF_8));
            file.setLength(10L << 30); // a hole: ten gigabytes of one line without end
        }
        String text =
                bench.call("read", "path", "huge", "offset", 10, "limit", 1).text();
        assertThat(text).startsWith("    10\tline\n[Lines 10-10");
    }

    @Test
    void abortEndsLongCount() throws IOException {
        Path huge = bench.worktree.resolve("huge");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.write(lines(5_000, "line").getBytes(StandardCharsets.UTF_8));
            file.setLength(1L << 40);
        }
        AbortController controller = new AbortController();
        DelayedAbort.abortIn(controller, Duration.ofMillis(100));
        ToolResult result = bench.call(controller.signal(), "read", "path", "huge", "offset", 1_000_000);
        assertThat(result).returns(true, ToolResult::isError).returns("read was aborted: enough", ToolResult::text);
    }

    @Test
    void filesOfLogDirectoryOpenByTheirHostPathAndAreReadOnly() throws IOException {
        Path log = Files.writeString(bench.logs.resolve("bash_1.log"), "output\n");
        assertThat(bench.call("read", "path", log).text()).isEqualTo("     1\toutput");
        assertThat(bench.call("grep", "path", bench.logs, "pattern", "out").text())
                .isEqualTo(log + ":1: output");
        assertThat(bench.call("ls", "path", bench.logs).text()).isEqualTo("bash_1.log");
        assertThat(bench.call("write", "path", log, "content", "x"))
                .returns(true, ToolResult::isError)
                .satisfies(result -> assertThat(result.text()).contains("read-only directory"));
        assertThat(bench.call("edit", "path", log, "old_string", "output", "new_string", "x")
                        .isError())
                .isTrue();
        assertThat(log).hasContent("output\n");
    }

    private static String lines(int count, String line) {
        return IntStream.range(0, count).mapToObj(i -> line + "\n").collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource({
        "image/png, 640, 480, 89504e470d0a1a0a 0000000d49484452 00000280 000001e0 0802000000",
        "image/gif, 1, 1, 474946383961 0100 0100 800000 000000 ffffff 2c000000000100010000020144003b",
        "image/jpeg, 32, 16, ffd8 ffe0 0004 0000 ff ffc4 0003 00 ffc0 000b 08 0010 0020 01 01 11 00 ffd9",
        "image/webp, 1, 1, 52494646 22000000 57454250 56503820 16000000 300100 9d012a 0100 0100 0ec0fe25",
        "image/webp, 300, 200, 52494646 1a000000 57454250 5650384c 0d000000 2f 2bc131 00 00000000",
        "image/webp, 500, 400, 52494646 1a000000 57454250 56503858 0a000000 10 000000 f30100 8f0100",
    })
    void imagesAreGivenAsImagesWithTheirSize(String mediaType, int width, int height, String hex) throws IOException {
        byte[] file = HexFormat.of().parseHex(hex.replace(" ", ""));
        Files.write(bench.worktree.resolve("image"), file);
        ToolResult result = bench.call("read", "path", "image");
        assertThat(result.isError()).as(result.text()).isFalse();
        assertThat(result.text()).contains("image: " + mediaType, width + " × " + height + " pixels");
        assertThat(result.images()).singleElement().satisfies(image -> {
            assertThat(image.mediaType()).isEqualTo(mediaType);
            assertThat(Base64.getDecoder().decode(image.base64())).isEqualTo(file);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "89504e470d0a1a0a 0000000d49484452 00004000 000001e0, images of 1 to 8000 pixels",
        "89504e470d0a1a0a 0000000d49484452 00000000 000001e0, images of 1 to 8000 pixels",
        "89504e470d0a1a0a 0000000d49484452 00001f40 00001389, and 40000000 in all",
        "89504e470d0a1a0a 0000000d49484452 00, header is damaged",
        "ffd8 ffe0 0000 ffe0 0000, header is damaged",
        "ffd8 ffff ffff ffff, header is damaged",
    })
    void imageThatModelsRefuseIsErrorThatSaysWhy(String hex, String why) throws IOException {
        Files.write(bench.worktree.resolve("image"), HexFormat.of().parseHex(hex.replace(" ", "")));
        ToolResult result = bench.call("read", "path", "image");
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains(why);
        assertThat(result.images()).isEmpty();
    }

    @Test
    void imageThatIsTooLargeIsNotRead() throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(bench.worktree.resolve("image").toFile(), "rw")) {
            file.write(HexFormat.of().parseHex("89504e470d0a1a0a"));
            file.setLength(1L << 40);
        }
        assertThat(bench.call("read", "path", "image").text()).contains("more than the 3750000", "smaller copy");
    }

    @Test
    void notebookIsShownAsItsCells() throws IOException {
        bench.put("n.ipynb", """
                {"cells": [
                 {"cell_type": "markdown", "metadata": {}, "source": ["# Title\\n", "text"]},
                 {"cell_type": "code", "source": "print(1)\\n1/0", "outputs": [
                  {"output_type": "stream", "name": "stdout", "text": ["1\\n"]},
                  {"output_type": "display_data", "data": {"image/png": "iVBO", "text/plain": ["<Figure>"]}},
                  {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero",
                   "traceback": ["\\u001b[0;31mZeroDivisionError\\u001b[0m: division by zero"]}]}],
                 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
                """);
        assertThat(bench.call("read", "path", "n.ipynb").text())
                .isEqualTo(numbered(
                                "[Cell 1: markdown]",
                                "# Title",
                                "text",
                                "[Cell 2: code]",
                                "print(1)",
                                "1/0",
                                "[Output of cell 2]",
                                "1",
                                "[Output of cell 2]",
                                "<Figure>",
                                "(image/png, which is not shown)",
                                "[Output of cell 2]",
                                "ZeroDivisionError: division by zero")
                        + "\n[A notebook, shown as its cells: 2. edit and write take its JSON, which raw shows.]");
        assertThat(bench.call("read", "path", "n.ipynb", "offset", 4, "limit", 1)
                        .text())
                .startsWith("     4\t[Cell 2: code]\n");
        assertThat(bench.call("read", "path", "n.ipynb", "raw", true).text()).startsWith("     1\t{\"cells\": [");
        bench.put("broken.ipynb", "{\"cells\": [");
        assertThat(bench.call("read", "path", "broken.ipynb").text()).isEqualTo("     1\t{\"cells\": [");
        bench.put("none.ipynb", "x\n".repeat(50_000) + "[]");
        assertThat(bench.call("read", "path", "none.ipynb", "offset", 50_001).text())
                .isEqualTo(" 50001\t[]");
    }

    /** A file of 10 MiB would else become one of 2 GiB in memory. */
    @Test
    void notebookOfMorePartsThanNotebooksHaveIsShownAsItsJson() throws Exception {
        String most = "{}" + ",{}".repeat(499_990);
        bench.put("most.ipynb", "{\"cells\":[\n" + most + "]}");
        assertThat(bench.call("read", "path", "most.ipynb", "limit", 1).text())
                .startsWith(numbered("[Cell 1: unknown]"))
                .contains("as its cells: 499991");
        bench.put("more.ipynb", "{\"cells\":[\n" + most + ",{}".repeat(20) + "]}");
        assertThat(bench.call("read", "path", "more.ipynb", "limit", 1).text()).startsWith(numbered("{\"cells\":["));
    }

    private static String numbered(String... lines) {
        return IntStream.range(0, lines.length)
                .mapToObj(i -> String.format("%6d\t%s", i + 1, lines[i]))
                .collect(Collectors.joining("\n"));
    }
}
