package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the file tools on the mounts of a policy. */
class MountedFilesTest extends FileToolTest {

    private String text(String tool, Object... arguments) {
        return bench.call(tool, arguments).text();
    }

    private Path sibling(String name) {
        return directory.resolve(name);
    }

    @Test
    void mountIsReadAndWrittenAtPathThatCommandsSee() throws IOException {
        Files.writeString(bench.mounted.resolve("a"), "in the mount\n");
        assertThat(text("read", "path", "/data/a")).isEqualTo("     1\tin the mount");
        assertThat(text("write", "path", "/data/new/dir/b", "content", "x"))
                .isEqualTo("Created /data/new/dir/b: wrote 1 byte");
        assertThat(bench.mounted.resolve("new/dir/b")).hasContent("x");
        assertThat(text("edit", "path", "/data/a", "old_string", "in the", "new_string", "of the"))
                .startsWith("Edited /data/a");
        assertThat(bench.mounted.resolve("a")).hasContent("of the mount\n");
        assertThat(text("grep", "pattern", "mount", "path", "/data")).isEqualTo("/data/a:1: of the mount");
        assertThat(text("find", "glob", "b", "path", "/data")).isEqualTo("/data/new/dir/b");
    }

    @Test
    void readOnlyMountIsReadAndNotWritten() throws IOException {
        Files.writeString(sibling("kept/a"), "old\n");
        assertThat(text("read", "path", "/kept/a")).isEqualTo("     1\told");
        assertRefused(bench.call("write", "path", "/kept/a", "content", "x"), "/kept/a is in a read-only directory");
        assertRefused(
                bench.call("edit", "path", "/kept/a", "old_string", "old", "new_string", "new"),
                "/kept/a is in a read-only directory");
        assertRefused(bench.call("write", "path", "/kept/new/b", "content", "x"), "read-only");
        assertThat(sibling("kept/a")).hasContent("old\n");
        assertThat(sibling("kept/new")).doesNotExist();
    }

    @Test
    void innermostMountWinsAlsoDuringWalk() throws IOException {
        Files.createDirectories(bench.mounted.resolve("in/nested"));
        Files.writeString(bench.mounted.resolve("in/nested/hidden"), "hidden\n");
        Files.writeString(sibling("nested/inner"), "inner\n");
        assertThat(text("ls", "path", "/data/in/nested")).isEqualTo("inner");
        assertThat(text("ls", "path", "/data")).isEqualTo("in/\none");
        assertThat(text("grep", "pattern", ".", "path", "/data"))
                .isEqualTo("/data/in/nested/inner:1: inner\n/data/one:1: one");
        assertThat(text("find", "glob", "*", "path", "/data"))
                .isEqualTo("/data/in/\n/data/in/nested/\n/data/in/nested/inner\n/data/one");
        assertThat(text("read", "path", "/data/in/../in/nested/../nested/inner"))
                .isEqualTo("     1\tinner");
        assertRefused(bench.call("read", "path", "/data/in/nested/hidden"), "no such file");
    }

    @Test
    void parentOfMountIsOneThatCommandsSee() throws IOException {
        bench.put("a", "worktree\n");
        Files.writeString(bench.mounted.resolve("b"), "mount\n");
        assertThat(text("read", "path", "/data/../work/a")).isEqualTo("     1\tworktree");
        assertThat(text("read", "path", "../data/b")).isEqualTo("     1\tmount");
        bench.link("over", "../data/b");
        bench.link("absolute", "/data/b");
        assertThat(text("read", "path", "over")).isEqualTo("     1\tmount");
        assertThat(text("read", "path", "absolute")).isEqualTo("     1\tmount");
        assertRefused(bench.call("read", "path", "/data/../mounted/b"), "outside the worktree /work");
        assertRefused(bench.call("read", "path", bench.mounted.resolve("b")), "outside the worktree /work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/outside", "../outside", "../../outside", "../../../../../../outside", "/etc", ".."})
    void linkPlantedInMountLeadsNowhereElse(String target) throws IOException {
        String real = target.startsWith("/outside") ? bench.outside.toString() : target;
        Files.createSymbolicLink(bench.mounted.resolve("l"), Path.of(real));
        Files.createDirectories(bench.mounted.resolve("sub"));
        Files.createSymbolicLink(bench.mounted.resolve("sub/chain"), Path.of("../l"));
        for (String path : List.of("/data/l", "/data/l/secret", "/data/sub/chain/secret", "/data/sub/../l/new/file")) {
            for (String tool : List.of("read", "edit", "write", "ls", "grep", "find")) {
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
                assertRefused(result, "outside the worktree /work");
                assertThat(result.text()).doesNotContain("SECRET");
            }
        }
        assertThat(bench.outside.resolve("secret")).hasContent("SECRET\n");
        assertThat(bench.outside.resolve("new")).doesNotExist();
        assertThat(text("grep", "pattern", "SECRET", "path", "/data")).isEqualTo("(no match)");
    }

    @Test
    void linkIntoReadOnlyMountIsNotWrittenThrough() throws IOException {
        Files.writeString(sibling("kept/a"), "old\n");
        bench.link("l", "/kept/a");
        Files.createSymbolicLink(bench.mounted.resolve("l"), Path.of("../kept"));
        assertThat(text("read", "path", "l")).isEqualTo("     1\told");
        assertThat(text("read", "path", "/data/l/a")).isEqualTo("     1\told");
        assertRefused(bench.call("write", "path", "l", "content", "x"), "read-only");
        assertRefused(bench.call("write", "path", "/data/l/a", "content", "x"), "read-only");
        assertThat(sibling("kept/a")).hasContent("old\n");
    }

    @Test
    void mountedFileIsReadAndNothingBesideIt() throws IOException {
        assertThat(text("read", "path", "/data/one")).isEqualTo("     1\tone");
        assertThat(text("grep", "pattern", "o", "path", "/data/one")).isEqualTo("/data/one:1: one");
        assertRefused(bench.call("read", "path", "/data/one/beside"), "not a directory: /data/one");
        assertRefused(bench.call("read", "path", "/data/one/../beside"), "not a directory: /data/one");
        Files.delete(sibling("single/one"));
        Files.createSymbolicLink(sibling("single/one"), Path.of("beside"));
        ToolResult swapped = bench.call("read", "path", "/data/one");
        assertRefused(swapped, "outside the worktree");
        assertThat(swapped.text()).doesNotContain("SECRET");
        assertThat(text("grep", "pattern", "SECRET", "path", "/data")).isEqualTo("(no match)");
    }

    /** Commands have this file mounted, and would not see another one in its place. */
    @Test
    void mountedFileIsWrittenInPlace() throws IOException {
        Path file = sibling("single/one");
        Path link = Files.createLink(directory.resolve("link"), file);
        assertThat(text("edit", "path", "/data/one", "old_string", "one", "new_string", "a longer text"))
                .startsWith("Edited /data/one at line 1");
        assertThat(link).hasContent("a longer text\n");
        assertThat(text("write", "path", "/data/one", "content", "x")).startsWith("Replaced /data/one");
        assertThat(link).hasContent("x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertRefused(bench.call("write", "path", "/data/one", "content", "y"), "read-only by its mode");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("beside"));
        assertRefused(bench.call("write", "path", "/data/one", "content", "y"), "outside the worktree");
        assertThat(sibling("single/beside")).hasContent("SECRET\n");
    }

    @Test
    void protectedPathsAndGitAreNotWrittenInMounts() throws IOException {
        assertRefused(bench.call("write", "path", "/data/repo/.git/hooks/pre-commit", "content", "x"), "git");
        assertRefused(bench.call("write", "path", "/data/.vscode/tasks.json", "content", "x"), "is protected");
        assertThat(bench.mounted).isEmptyDirectory();
    }

    @Test
    void protectedPathsOfWorktreeAreNotWrittenThroughMountOfThem() throws IOException {
        Path tree = sibling("other");
        Files.createDirectories(tree.resolve(".git/hooks"));
        Mount hooks = new Mount(tree.resolve(".git/hooks").toRealPath(), "/hooks", Mount.Access.READ_WRITE);
        try (ContainedFiles files = FileToolBench.open(new PathMapping(tree, "/work"), List.of(hooks))) {
            assertThatThrownBy(() -> files.locateForWriting("/hooks/pre-commit").close())
                    .isInstanceOf(FileException.class)
                    .hasMessageStartingWith("/hooks/pre-commit is part of a git repository's own data");
        }
    }

    @Test
    void mountReplacedByLinkOrMissingIsRefusedWhenItIsOpened() throws IOException {
        Path source = Files.createDirectory(sibling("source")).toRealPath();
        Mount mount = new Mount(source, "/source", Mount.Access.READ_WRITE);
        PathMapping worktree = new PathMapping(bench.worktree, "/work");
        Files.delete(source);
        assertThatThrownBy(() -> FileToolBench.open(worktree, List.of(mount)))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(source.toString());
        Files.createSymbolicLink(source, bench.outside);
        assertThatThrownBy(() -> FileToolBench.open(worktree, List.of(mount)))
                .isInstanceOf(UncheckedIOException.class)
                .hasRootCauseMessage(source + ": leads through a symbolic link; grant the real path instead");
    }
}
