package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Defines the containment cases, for directories held by descriptor and by path. */
abstract class ContainmentCases {
    @TempDir
    Path directory;

    FileToolBench bench;

    @BeforeEach
    void open() throws IOException {
        bench = open(directory);
    }

    abstract FileToolBench open(Path in) throws IOException;

    @AfterEach
    void close() throws IOException {
        bench.close();
        try (var outside = Files.list(bench.outside)) {
            assertThat(outside).containsExactly(bench.outside.resolve("secret"));
        }
        assertThat(bench.outside.resolve("secret")).hasContent("SECRET\n");
    }

    private void assertNothingLeadsThrough(String path) {
        for (String tool : new String[] {"read", "edit", "write", "ls", "grep", "find"}) {
            ToolResult result = bench.call(
                    tool,
                    "path",
                    path,
                    "content",
                    "evil",
                    "pattern",
                    ".",
                    "glob",
                    "*",
                    "old_string",
                    "SECRET",
                    "new_string",
                    "evil");
            assertThat(result.isError())
                    .as("%s %s: %s", tool, path, result.text())
                    .isTrue();
            assertThat(result.text()).as(tool).doesNotContain("SECRET").contains("outside the worktree /work");
        }
    }

    @Test
    void pathsThatLeadOutAreRefused() {
        assertNothingLeadsThrough("../outside/secret");
        assertNothingLeadsThrough("../../outside/secret");
        assertNothingLeadsThrough(bench.outside.resolve("secret").toString());
        assertNothingLeadsThrough("/etc/passwd");
        assertNothingLeadsThrough("/work/../etc/passwd");
        assertNothingLeadsThrough("/");
    }

    @Test
    void linksThatLeadOutAreRefused() throws IOException {
        bench.link("file", bench.outside.resolve("secret").toString());
        bench.link("relative", "../outside/secret");
        bench.link("dir", bench.outside.toString());
        bench.put("sub/x", "x");
        bench.link("sub/up", "../../outside");
        bench.link("chain", "sub/up");
        assertNothingLeadsThrough("file");
        assertNothingLeadsThrough("relative");
        assertNothingLeadsThrough("dir");
        assertNothingLeadsThrough("dir/secret");
        assertNothingLeadsThrough("sub/up/secret");
        assertNothingLeadsThrough("chain/secret");
        assertNothingLeadsThrough("dir/new/parents/file");
    }

    @Test
    void danglingLinkThatLeadsOutIsNotWrittenThrough() throws IOException {
        bench.link("dangling", bench.outside.resolve("made").toString());
        bench.link("deep", bench.outside.resolve("no/such/place").toString());
        assertNothingLeadsThrough("dangling");
        assertNothingLeadsThrough("deep/file");
    }

    @Test
    void worktreeDirectoryThatIsLinkIsNotWalkedThrough() throws IOException {
        bench.link(".worktrees", bench.outside.toString());
        bench.put("a", "SECRET? no\n");
        assertThat(bench.call("grep", "pattern", "SECRET").text()).isEqualTo("a:1: SECRET? no");
        assertThat(bench.call("find", "glob", "secret").text()).isEqualTo("(nothing matches secret)");
        assertThat(bench.call("ls").text()).isEqualTo(".worktrees@\na");
        assertNothingLeadsThrough(".worktrees/x");
    }

    @Test
    void linksThatStayInsideAreFollowed() throws IOException {
        bench.put("real/file", "content\n");
        bench.link("file", "real/file");
        bench.link("dir", "real");
        bench.link("real/up", "../real/../file");
        bench.link("host", bench.worktree.resolve("real").toString());
        bench.link("command", "/work/real/file");
        for (String path : new String[] {"file", "dir/file", "real/up", "host/file", "command", "dir/../real/file"}) {
            assertThat(bench.call("read", "path", path).text()).as(path).isEqualTo("     1\tcontent");
        }
        assertThat(bench.call("ls", "path", "dir").text()).isEqualTo("file\nup@");
        assertThat(bench.call("edit", "path", "file", "old_string", "content", "new_string", "new")
                        .isError())
                .isFalse();
        assertThat(bench.worktree.resolve("file")).isSymbolicLink();
        assertThat(bench.get("real/file")).isEqualTo("new\n");
        bench.link("dangling", "real/made/here");
        assertThat(bench.call("write", "path", "dangling", "content", "x").isError())
                .isFalse();
        assertThat(bench.get("real/made/here")).isEqualTo("x");
    }

    @Test
    void parentOfLinkIsResolvedAsKernelDoes() throws IOException {
        bench.put("a/b/c", "in a");
        bench.put("c", "at the top");
        bench.link("l", "a/b");
        bench.put("a/c", "the parent of b");
        assertThat(bench.call("read", "path", "l/../c").text()).isEqualTo("     1\tthe parent of b");
        assertThat(Files.readString(bench.worktree.resolve("l/../c"))).isEqualTo("the parent of b");
    }

    @Test
    void linksInCircleAreError() throws IOException {
        bench.link("a", "b");
        bench.link("b", "a");
        bench.link("self", "self/self/self");
        assertThat(bench.call("read", "path", "a").text()).startsWith("more than 40 symbolic links");
        assertThat(bench.call("write", "path", "self", "content", "x").isError())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"src/a", "/work/src/a", "/work//src/./a", "./src/../src/a", "/work/src/../src/a"})
    void commandSidesPathsReachFile(String path) throws IOException {
        bench.put("src/a", "x\n");
        assertThat(bench.call("read", "path", path).text()).isEqualTo("     1\tx");
        assertThat(bench.call("write", "path", path, "content", "y").isError()).isFalse();
        assertThat(bench.get("src/a")).isEqualTo("y");
    }

    @Test
    void modelSeesCommandSidesPath() throws IOException {
        Path file = bench.put("src/a", "x\n");
        assertThat(bench.call("write", "path", file, "content", "y").text())
                .isEqualTo("Replaced /work/src/a: wrote 1 byte");
        assertThat(bench.call("write", "path", "/work/b", "content", "y").text())
                .isEqualTo("Created /work/b: wrote 1 byte");
        assertThat(bench.call("write", "path", "c", "content", "y").text()).isEqualTo("Created c: wrote 1 byte");
        assertThat(bench.call("read", "path", bench.worktree + "/no").text())
                .startsWith("no such file or directory: /work/no")
                .doesNotContain(bench.worktree.toString());
        assertThat(bench.call("find", "glob", "a", "path", bench.worktree).text())
                .isEqualTo("src/a");
    }

    @Test
    void pathPrefixesAreComparedByWholeNames() throws IOException {
        bench.put("shop/a", "x");
        assertNothingLeadsThrough("/workshop/a");
        assertNothingLeadsThrough(bench.worktree + "shop/a");
    }

    @Test
    void worktreeNamedThroughLinkIsKnownByBothNames() throws IOException {
        Path alias = Files.createSymbolicLink(directory.resolve("alias"), bench.worktree);
        bench.put("a", "x");
        try (ContainedFiles files = FileToolBench.open(PathMapping.same(alias), List.of())) {
            for (Path name : List.of(alias, bench.worktree)) {
                try (Location where = files.locate(name.resolve("a").toString())) {
                    assertThat(where.shown()).isEqualTo(alias.resolve("a").toString());
                    assertThat(where.attributes()).isPresent();
                }
            }
        }
    }

    @Test
    void worktreeStaysDirectoryThatWasOpened() throws IOException {
        bench.put("a", "x");
        Path moved = Files.move(bench.worktree, directory.resolve("moved"));
        Files.createDirectory(bench.worktree);
        assertThat(bench.call("write", "path", "new/dir/file", "content", "x").isError())
                .isTrue();
        assertThat(moved.resolve("new")).doesNotExist();
        assertThat(bench.worktree).isEmptyDirectory();
        Files.delete(bench.worktree);
        Files.move(moved, bench.worktree);
        assertThat(bench.call("write", "path", "new/dir/file", "content", "x").isError())
                .isFalse();
    }

    @Test
    void missingRootIsErrorThatNamesIt() {
        PathMapping mapping = PathMapping.same(directory.resolve("no-such-place"));
        assertThatThrownBy(() -> FileToolBench.open(mapping, List.of()))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(mapping.hostPath().toString());
    }
}
