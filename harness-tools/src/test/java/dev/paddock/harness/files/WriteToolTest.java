package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WriteToolTest extends FileToolTest {

    private ToolResult write(String path, String content) {
        return bench.call("write", "path", path, "content", content);
    }

    @Test
    void createsParentsAndReportsUtf8Bytes() throws IOException {
        assertThat(write("a/b/c.txt", "né\n"))
                .returns(false, ToolResult::isError)
                .returns("Created a/b/c.txt: wrote 4 bytes", ToolResult::text)
                .returns(4L, result -> result.details().integer("bytes").orElseThrow());
        assertThat(bench.get("a/b/c.txt")).isEqualTo("né\n");
        try (var entries = Files.list(bench.worktree)) {
            assertThat(entries).containsExactly(bench.worktree.resolve("a"));
        }
        assertThat(write("a/b/c.txt", "")).returns("Replaced a/b/c.txt: wrote 0 bytes", ToolResult::text);
        assertThat(bench.get("a/b/c.txt")).isEmpty();
    }

    @Test
    void modeIsKeptAndNewFilesHaveUsualOne() throws IOException {
        Path file = bench.put("run", "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        write("run", "y");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x--x");
        write("new/made", "y");
        Path usual = Files.createDirectory(directory.resolve("usual"));
        Files.createFile(usual.resolve("file"));
        assertThat(Files.getPosixFilePermissions(bench.worktree.resolve("new/made")))
                .isEqualTo(Files.getPosixFilePermissions(usual.resolve("file")));
        assertThat(Files.getPosixFilePermissions(bench.worktree.resolve("new")))
                .isEqualTo(Files.getPosixFilePermissions(usual));
    }

    @Test
    void directoryIsRefused() throws IOException {
        bench.put("d/f", "x");
        assertRefused(write("d", "x"), "d is a directory");
        assertRefused(write("d/", "x"), "Name a file");
        assertRefused(write(".", "x"), "the worktree itself");
        assertRefused(write("d/f/g", "x"), "not a directory: f, in the path d/f/g");
        assertThat(bench.get("d/f")).isEqualTo("x");
    }

    @Test
    void contentOfOneCallIsCapped() {
        assertRefused(write("a", "x".repeat((10 << 20) + 1)), "more than the 10485760");
        assertThat(bench.worktree.resolve("a")).doesNotExist();
    }

    @Test
    void malformedPathsAreRefused() {
        assertRefused(write("a\0b", "x"), "NUL character: 'a\\0b'");
        assertRefused(write("", "x"), "the path is empty");
        assertRefused(write("x".repeat(256), "x"), "longer than 255 bytes");
        assertRefused(write("a/".repeat(3_000) + "b", "x"), "longer than 4096 bytes");
        assertRefused(write("a/".repeat(300) + "b", "x"), "more than 256 components");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/hooks/pre-commit",
                ".git/config",
                ".GIT/Config",
                ".git",
                "sub/.git",
                "sub/.git/hooks/post-checkout",
                ".git/info/attributes",
                ".mcp.json",
                "sub/.mcp.json",
                ".vscode/settings.json",
                ".V\u017fCODE/tasks.json",
                ".idea/workspace.xml",
                ".claude/settings.json",
                ".envrc",
                ".bashrc",
                "git~1/config",
                ".g\u200cit/config",
                "plain/../.git/config",
                "/work/.git/config",
                "alias/config",
            })
    void protectedPathsAreRefused(String path) throws IOException {
        bench.put(".git/config", "[core]\n");
        bench.put("plain/f", "x");
        bench.link("alias", ".git");
        assertRefused(write(path, "evil"), path.endsWith("alias/config") ? "git" : "");
        assertThat(bench.call("edit", "path", path, "old_string", "[core]", "new_string", "evil")
                        .isError())
                .isTrue();
        assertThat(bench.get(".git/config")).isEqualTo("[core]\n");
        try (var all = Files.walk(bench.worktree)) {
            assertThat(all.filter(Files::isRegularFile))
                    .containsExactlyInAnyOrder(
                            bench.worktree.resolve(".git/config"), bench.worktree.resolve("plain/f"));
        }
    }

    @Test
    void linkToProtectedFileIsRefusedAndNeighboursAreNot() throws IOException {
        bench.put(".vscode/settings.json", "{}");
        bench.link("innocent.json", ".vscode/settings.json");
        assertRefused(write("innocent.json", "evil"), "protected");
        assertThat(bench.get(".vscode/settings.json")).isEqualTo("{}");
        for (String fine :
                new String[] {".gitignore", ".github/workflows/ci.yml", "a.git/x", ".vscode.md", "..foo", "a:b"}) {
            assertThat(write(fine, "x").isError()).as(fine).isFalse();
        }
        assertThat(bench.call("read", "path", ".vscode/settings.json").isError())
                .isFalse();
    }

    @Test
    void processOfRootLeavesFilesToWorktreesOwner() throws IOException {
        assumeTrue(Files.getAttribute(bench.worktree, "unix:uid").equals(0), "needs root, to give files away");
        Files.setAttribute(bench.worktree, "unix:uid", 12_345);
        Files.setAttribute(bench.worktree, "unix:gid", 12_346);
        write("a/b", "x");
        write("a/b", "y");
        bench.call("edit", "path", "a/b", "old_string", "y", "new_string", "z");
        for (String made : new String[] {"a", "a/b"}) {
            Path path = bench.worktree.resolve(made);
            assertThat(Files.getAttribute(path, "unix:uid")).isEqualTo(12_345);
            assertThat(Files.getAttribute(path, "unix:gid")).isEqualTo(12_346);
        }
        assertThat(bench.get("a/b")).isEqualTo("z");
    }

    /** Git would run what its configuration names, and no command was there whose settlement judges it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD objects/a refs/a",
                "refs/a HEAD objects/a",
                "objects/pack/a refs/heads/a HEAD",
                "commondir HEAD",
                "HEAD commondir",
            })
    void noDirectoryBecomesRepository(String parts) throws Exception {
        String[] names = parts.split(" ", -1);
        assertThat(write("sub/config", "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = touch ran\n"))
                .returns(false, ToolResult::isError);
        for (int made = 0; made < names.length - 1; made++) {
            assertThat(write("sub/" + names[made], "ref: refs/heads/main\n")).returns(false, ToolResult::isError);
        }

        assertRefused(write("sub/" + names[names.length - 1], "ref: refs/heads/main\n"), "git repository");

        git(bench.worktree.resolve("sub"), "status");
        assertThat(bench.worktree.resolve("sub/ran")).doesNotExist();
    }

    @Test
    void bareRepositoryIsNotWrittenExceptInWorktreeInside() throws Exception {
        git(bench.worktree, "init", "-q", "--bare", "hub");
        for (String path : new String[] {"config", "hooks/post-update", "objects/info/alternates", "new"}) {
            assertRefused(write("hub/" + path, "planted"), "git repository");
        }
        bench.put("hub/topic/.git", "gitdir: ../worktrees/topic\n");
        assertThat(write("hub/topic/src/a", "a")).returns(false, ToolResult::isError);
    }

    private static void git(Path in, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(words));
        new ProcessBuilder(line)
                .directory(in.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
