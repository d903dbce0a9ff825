package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException.Reason;
import dev.paddock.harness.files.access.FileRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the creation and the removal of directories. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class WorkspaceTreesTest extends WorkspaceFilesBench {

    @Test
    void mkdirCreatesOneDirectoryOrAllParents() throws IOException {
        files.mkdir("a", false);
        files.mkdir("/data/in/nested/b/c/d", true);
        files.mkdir("/data/in/nested/b/c/d", true);
        assertThat(work.resolve("a")).isEmptyDirectory();
        assertThat(nested.resolve("b/c/d")).isEmptyDirectory();
        put(work, "f", "");
        link(work.resolve("to-a"), "a");
        link(work.resolve("dangling"), "made");
        files.mkdir("to-a", true);
        refused(Reason.ALREADY_EXISTS, "a exists already", () -> files.mkdir("a", false));
        refused(Reason.ALREADY_EXISTS, "f exists already", () -> files.mkdir("f", true));
        refused(Reason.ALREADY_EXISTS, "to-a", () -> files.mkdir("to-a", false));
        refused(Reason.ALREADY_EXISTS, "dangling", () -> files.mkdir("dangling", true));
        refused(Reason.NOT_FOUND, "x, in the path x/y", () -> files.mkdir("x/y", false));
        refused(Reason.NOT_A_DIRECTORY, "f, in the path f/y", () -> files.mkdir("f/y", true));
        refused(Reason.NOT_WRITABLE, "/kept/x", () -> files.mkdir("/kept/x", true));
        refused(Reason.PROTECTED, "a/.git", () -> files.mkdir("a/.git", true));
        refused(Reason.PROTECTED, ".vscode", () -> files.mkdir(".vscode/x", true));
        refused(Reason.INVALID_PATH, "empty", () -> files.mkdir("", true));
        refused(Reason.NO_ROOT, "/srv/x", () -> files.mkdir("/srv/x", true));
        assertThat(paths(".")).as("nothing else is left").containsExactly("a", "dangling", "f", "to-a");
    }

    @Test
    void interruptEndsRemovalAndLeavesWhatIsLeft() throws IOException {
        put(work, "tree/a/b", "x");
        Thread.currentThread().interrupt();
        try {
            refused(Reason.FAILED, "interrupted while tree was removed", () -> files.remove("tree", true));
        } finally {
            assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        }
        assertThat(work.resolve("tree/a/b")).exists();
        files.remove("tree", true);
        assertThat(work).isEmptyDirectory();
    }

    @Test
    void removeTakesFilesLinksAndTrees() throws IOException {
        put(work, "tree/a/b", "x");
        put(work, "tree/c", "x");
        link(work.resolve("tree/out"), outside.toString());
        link(work.resolve("tree/a/loop"), "..");
        link(work.resolve("link"), outside.resolve("secret").toString());
        Files.createDirectory(work.resolve("empty"));
        refused(Reason.NOT_EMPTY, "tree is a directory that is not empty", () -> files.remove("tree", false));
        files.remove("tree/c", false);
        files.remove("empty", false);
        files.remove("link", true);
        files.remove("tree", true);
        assertThat(work).isEmptyDirectory();
        refused(Reason.NOT_FOUND, "tree", () -> files.remove("tree", true));
        refused(Reason.NOT_FOUND, "x/y", () -> files.remove("x/y", true));
        refused(Reason.INVALID_PATH, "empty", () -> files.remove("", true));
        refused(Reason.NO_ROOT, "/etc/x", () -> files.remove("/etc/x", true));
    }

    @Test
    void removeRefusesRootsAndTheirParents() throws IOException {
        put(data, "in/x", "x");
        put(data, "in/nested/hidden", "x");
        put(nested, "n", "n");
        put(kept, "k", "k");
        for (String root : List.of("/work", ".", "/data", "/data/in/nested", "a/..")) {
            Files.createDirectories(work.resolve("a"));
            refused(Reason.NOT_A_FILE, root + " is ", () -> files.remove(root, true));
        }
        refused(Reason.NOT_EMPTY, "/data/in is or holds", () -> files.remove("/data/in", true));
        refused(Reason.NOT_WRITABLE, "/data/one", () -> files.remove("/data/one", false));
        refused(Reason.NOT_WRITABLE, "/kept/k", () -> files.remove("/kept/k", false));
        refused(Reason.NOT_WRITABLE, "/kept", () -> files.remove("/kept", true));
        assertThat(data.resolve("in/x")).exists();
        assertThat(nested.resolve("n")).exists();
        files.remove("/data/in/nested/n", false);
        assertThat(nested).isEmptyDirectory();
    }

    @Test
    void removeRefusesRootsThatLieInTreeOnHost() throws IOException {
        Path inner = Files.createDirectories(work.resolve("a/inner"));
        Path file = put(work, "b/file", "x");
        put(inner, "x", "x");
        put(work, "c/x", "x");
        List<FileRoot> roots = List.of(
                new FileRoot("/work", work, Mount.Access.READ_WRITE),
                new FileRoot("/inner", inner, Mount.Access.READ_ONLY),
                new FileRoot("/file", file, Mount.Access.READ_ONLY));
        try (WorkspaceFiles both = WorkspaceFiles.open(roots, AccessRules.standard())) {
            refused(Reason.NOT_EMPTY, "a is or holds", () -> both.remove("a", true));
            refused(Reason.NOT_EMPTY, "b is or holds", () -> both.remove("b", true));
            refused(Reason.NOT_EMPTY, "b/file is or holds", () -> both.remove("b/file", false));
            Files.move(work.resolve("a"), work.resolve("moved"));
            refused(Reason.NOT_EMPTY, "moved is or holds", () -> both.remove("moved", true));
            both.remove("c", true);
        }
        assertThat(work.resolve("moved/inner/x")).exists();
        assertThat(file).exists();
        assertThat(work.resolve("c")).doesNotExist();
    }

    @Test
    void removeOfTreeWithProtectedPathRemovesNothing() throws IOException {
        put(work, "repo/a", "x");
        put(work, "repo/deep/.git/config", "x");
        put(work, "tree/a", "x");
        put(work, "tree/z/.vscode/tasks.json", "x");
        refused(Reason.PROTECTED, "repo/deep/.git is part of", () -> files.remove("repo", true));
        refused(Reason.PROTECTED, "tree/z/.vscode is protected", () -> files.remove("/work/tree", true));
        refused(Reason.PROTECTED, ".git", () -> files.remove("repo/deep/.git/config", false));
        assertThat(files.glob(List.of("a", "config", "tasks.json"))).hasSize(4);
        files.remove("repo/a", false);
    }

    @Test
    void removalOfTreeThatIsTooDeepRemovesNothing() throws IOException {
        put(work, "tree/" + "d/".repeat(99) + "x", "x");
        files.remove("tree", true);
        put(work, "tree/a", "x");
        put(work, "tree/" + "d/".repeat(100) + "x", "x");
        refused(Reason.NOT_EMPTY, "tree has directories more than 100 deep", () -> files.remove("tree", true));
        assertThat(work.resolve("tree/a")).exists();
        files.remove("tree/d", true);
        files.remove("tree", true);
        assertThat(work).isEmptyDirectory();
    }
}
