package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortController;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SearchToolsTest extends FileToolTest {

    @Test
    void lsShowsEverythingSorted() throws IOException {
        bench.put("b/x", "");
        bench.put(".gitignore", "*.o\n");
        bench.put("a.o", "");
        bench.link("link", "b");
        assertThat(bench.call("ls")).returns(".gitignore\na.o\nb/\nlink@", ToolResult::text);
        Files.createDirectory(bench.worktree.resolve("empty"));
        assertThat(bench.call("ls", "path", "empty")).returns("(empty is empty)", ToolResult::text);
        assertRefused(bench.call("ls", "path", "a.o"), "not a directory. Open it with read");
        assertRefused(bench.call("ls", "path", "nope"), "no such file or directory: nope");
    }

    @Test
    void lsShows500EntriesAndSaysHowManyThereAre() throws IOException {
        for (int i = 0; i < 501; i++) {
            bench.put(String.format("d/%04d", i), "");
        }
        assertThat(bench.call("ls", "path", "d").text())
                .contains("0499")
                .doesNotContain("0500")
                .endsWith("[500 of 501 entries are shown. Narrow down with find and a glob]");
    }

    @Test
    void listingsAreCappedAt51200Bytes() throws IOException {
        for (int i = 0; i < 400; i++) {
            bench.put(i + "x".repeat(200), "needle");
        }
        for (ToolResult result :
                List.of(bench.call("ls"), bench.call("find", "glob", "*"), bench.call("grep", "pattern", "needle"))) {
            assertThat(result.text().getBytes(StandardCharsets.UTF_8).length).isBetween(20_000, 51_200 + 200);
            assertThat(result.text()).containsPattern("\\[.*(shown).*Narrow down");
        }
        assertThat(bench.call("find", "glob", "*").text().length()).isGreaterThan(51_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.java|src/A.java src/deep/B.java",
                "src/*.java|src/A.java",
                "src/**/*.java|src/A.java src/deep/B.java",
                "**/B.java|src/deep/B.java",
                "*.{ts,tsx}|web/a.ts web/b.tsx",
                "{src,web}/*.{java,ts}|src/A.java web/a.ts",
                "[AB].java|src/A.java src/deep/B.java",
                "deep|src/deep/",
                "./web/?.ts|web/a.ts",
                ".hidden|.hidden",
                "*.log|",
            })
    void findMatchesGlobs(String glob, String expected) throws IOException {
        for (String file :
                new String[] {"src/A.java", "src/deep/B.java", "web/a.ts", "web/b.tsx", ".hidden", "out/x.log"}) {
            bench.put(file, "");
        }
        bench.put(".gitignore", "out/\n");
        bench.put(".git/hidden.java", "");
        String text = bench.call("find", "glob", glob).text();
        assertThat(text).isEqualTo(expected == null ? "(nothing matches *.log)" : expected.replace(' ', '\n'));
    }

    @Test
    void findStartsAtItsPathAndEntersIgnoredDirectoriesIfAsked() throws IOException {
        bench.put(".gitignore", "out/\n*.tmp\n");
        bench.put("out/a.txt", "");
        bench.put("out/b.tmp", "");
        assertThat(bench.call("find", "glob", "*").text()).isEqualTo(".gitignore");
        assertThat(bench.call("find", "glob", "*", "path", "out").text()).isEqualTo("out/a.txt");
        assertThat(bench.call("find", "glob", "out/*", "path", "out").text()).isEqualTo("out/a.txt");
        assertRefused(bench.call("find", "glob", "*", "path", ".gitignore"), "not a directory");
        assertRefused(bench.call("find", "glob", "[a"), "not a glob: '[a'");
    }

    @Test
    void findShows1000ResultsInOrderOfPaths() throws IOException {
        for (int i = 0; i < 1_001; i++) {
            bench.put(String.format("d/%04d", i), "");
        }
        bench.put("d.txt", "");
        assertThat(bench.call("find", "glob", "**").text())
                .startsWith("d.txt\nd/\nd/0000\nd/0001\n")
                .contains("d/0997")
                .doesNotContain("d/0998")
                .endsWith(
                        "[The first 1000 results are shown; there are more. Narrow down with path or a more exact glob]");
    }

    @Test
    void grepFindsExpressionsAndTexts() throws IOException {
        bench.put("b.txt", "foo(1)\nbar\nFOO[2]\n");
        bench.put("a/c.txt", "xx foo.\n");
        assertThat(bench.call("grep", "pattern", "fo+[(.]").text()).isEqualTo("a/c.txt:1: xx foo.\nb.txt:1: foo(1)");
        assertThat(bench.call("grep", "pattern", "foo(", "literal", true).text())
                .isEqualTo("b.txt:1: foo(1)");
        assertThat(bench.call("grep", "pattern", "foo[", "literal", true, "ignore_case", true)
                        .text())
                .isEqualTo("b.txt:3: FOO[2]");
        assertThat(bench.call("grep", "pattern", "foo", "glob", "*.md").text()).isEqualTo("(no match)");
        assertThat(bench.call("grep", "pattern", "foo", "path", "a").text()).isEqualTo("a/c.txt:1: xx foo.");
        assertThat(bench.call("grep", "pattern", "foo", "path", "b.txt").text()).isEqualTo("b.txt:1: foo(1)");
        assertThat(bench.call("grep", "pattern", "^bar$").text()).isEqualTo("b.txt:2: bar");
        assertRefused(bench.call("grep", "pattern", "foo("), "not a regular expression: 'foo('");
        assertRefused(bench.call("grep", "pattern", ""), "the pattern is empty");
    }

    @Test
    void grepShowsContext() throws IOException {
        bench.put("a", "1\n2\nx3\n4\nx5\n6\n7\n8\n9\nx10\n");
        assertThat(bench.call("grep", "pattern", "x", "context", 1).text())
                .isEqualTo("a-2- 2\na:3: x3\na-4- 4\na:5: x5\na-6- 6\n--\na-9- 9\na:10: x10");
        assertRefused(bench.call("grep", "pattern", "x", "context", 21), "whole number, 0 to 20");
    }

    @Test
    void grepShows100MatchesOf500Characters() throws IOException {
        bench.put("a", "y".repeat(2_000) + "needle" + "z".repeat(2_000) + "\n" + "needle\n".repeat(100));
        List<String> lines =
                bench.call("grep", "pattern", "needle").text().lines().toList();
        assertThat(lines).hasSize(101);
        assertThat(lines.getFirst())
                .contains("needle")
                .startsWith("a:1: …y")
                .endsWith("z…")
                .hasSize(507);
        assertThat(lines.getLast()).startsWith("[The first 100 matching lines are shown; there are more.");
        bench.put("a", "needle\n".repeat(100));
        assertThat(bench.call("grep", "pattern", "needle").text()).doesNotContain("[");
    }

    @Test
    void grepSkipsAndCountsBinaryFiles() throws IOException {
        bench.put("a", "needle");
        bench.put("b", "needle\0");
        bench.put(".gitignore", "ignored\n");
        bench.put("ignored", "needle");
        bench.put(".git/config", "needle");
        try (RandomAccessFile large =
                new RandomAccessFile(bench.worktree.resolve("large").toFile(), "rw")) {
            large.write("needle\n".repeat(2_000).getBytes(StandardCharsets.UTF_8));
            large.setLength((10L << 20) + 1);
        }
        assertThat(bench.call("grep", "pattern", "needle").text())
                .isEqualTo("a:1: needle\n[1 file left out: binary]"
                        + "\n[1 file left out: over 10 MiB; name one as path to search it]");
        assertThat(bench.call("grep", "pattern", "needle", "path", "ignored").text())
                .isEqualTo("ignored:1: needle");
        assertThat(bench.call("grep", "pattern", "needle", "path", "large").text())
                .startsWith("large:1: needle\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+b", "(a|aa)+b", "(.*)*x\\d"})
    void catastrophicExpressionsEndInError(String expression) throws IOException {
        bench.put("a", "a".repeat(300_000) + "\n");
        assertRefused(bench.call("grep", "pattern", expression), "a:1: the regular expression");
    }

    @Test
    void globsOfManyStarsTakeNoTime() throws IOException {
        bench.put("a".repeat(200), "");
        bench.put(".gitignore", "*a".repeat(40) + "b\n");
        assertThat(bench.call("find", "glob", "*a".repeat(40) + "b").text()).startsWith("(nothing matches");
        assertThat(bench.call("find", "glob", "a*").text()).isEqualTo("a".repeat(200));
    }

    @Test
    void abortEndsSearch() throws IOException {
        bench.put("a", "a".repeat(40) + "\n");
        AbortController aborted = new AbortController();
        aborted.abort("enough");
        for (String tool : new String[] {"grep", "find", "ls"}) {
            assertThat(bench.call(aborted.signal(), tool, "pattern", "a", "glob", "a"))
                    .returns(true, ToolResult::isError)
                    .returns(tool + " was aborted: enough", ToolResult::text);
        }
        try (RandomAccessFile large =
                new RandomAccessFile(bench.worktree.resolve("large").toFile(), "rw")) {
            large.write("x\n".repeat(8_000).getBytes(StandardCharsets.UTF_8));
            large.setLength(1L << 40);
        }
        AbortController later = new AbortController();
        DelayedAbort.abortIn(later, Duration.ofMillis(100));
        assertThat(bench.call(later.signal(), "grep", "pattern", "b", "path", "large")
                        .text())
                .isEqualTo("grep was aborted: enough");
    }
}
