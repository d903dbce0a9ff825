package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Puts the files of workspaces back in their place. */
@Tag("full")
class RollBackTest {
    @TempDir
    private Path temporary;

    private Path root;
    private DirectoryWorkspaceProvider provider;

    @BeforeEach
    void create() throws Exception {
        root = temporary.toRealPath().resolve("workspaces");
        provider = Kinds.LOCAL_BASH.provider(root);
    }

    private Workspace open() {
        return provider.open(Kinds.LOCAL_BASH.config().build());
    }

    private static String snapshot(Workspace workspace, String label) throws Exception {
        return workspace.snapshots().orElseThrow().snapshot(label).id();
    }

    @Test
    void filesAreAsTheyWereUnderTheirPath() throws Exception {
        Workspace workspace = open();
        Path files = workspace.worktree().hostPath();
        Shell.run(files, "mkdir d; echo old > d/f; chmod 700 d/f; ln -s f d/l; mkfifo pipe");
        String old = snapshot(workspace, "old");
        Shell.run(files, "echo new > d/f; chmod 644 d/f; rm d/l; echo more > more");
        workspace.suspend();
        String before = provider.rollBack(workspace.ref(), old).id();

        assertThat(files.resolve("d/f")).hasContent("old").isExecutable();
        assertThat(files.resolve("d/l")).isSymbolicLink();
        assertThat(files.resolve("more")).doesNotExist();
        try (Stream<Path> beside = Files.list(files.resolveSibling("."))) {
            assertThat(beside.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("files", "snapshots", "use", "commands", "workspace.json");
        }
        provider.rollBack(workspace.ref(), before);
        assertThat(files.resolve("d/f")).as("what was undone can be had again").hasContent("new");
        assertThat(files.resolve("more")).hasContent("more");
        Workspace again = provider.resolve(workspace.ref());
        assertThat(Kinds.run(again, "cat more")).isEqualTo("more\n");
        WorkspaceSnapshots snapshots = again.snapshots().orElseThrow();
        assertThat(snapshots.changes(before, snapshot(again, "now"))).isEmpty();
        again.close();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void workspaceThatIsOpenIsNotRolledBack() throws Exception {
        Workspace workspace = open();
        workspace.files().write("f", "old".getBytes(UTF_8));
        String old = snapshot(workspace, "old");
        workspace.files().write("f", "new".getBytes(UTF_8));
        assertThatThrownBy(() -> provider.rollBack(workspace.ref(), old))
                .isInstanceOfSatisfying(
                        WorkspaceFailedException.class,
                        fault -> assertThat(fault.isTransient()).isTrue());
        assertThat(Kinds.read(workspace, "f")).isEqualTo("new");
        workspace.suspend();
        provider.rollBack(workspace.ref(), old);
        Workspace again = provider.resolve(workspace.ref());
        assertThat(Kinds.read(again, "f")).isEqualTo("old");
        again.close();
    }

    @Test
    void nothingIsLostThatNoSnapshotKeeps() throws Exception {
        Workspace workspace = open();
        Path files = workspace.worktree().hostPath();
        String empty = snapshot(workspace, "empty");
        Files.createDirectory(files.resolve("module"));
        Files.writeString(files.resolve("module/.git"), "gitdir: /elsewhere/modules/module\n");
        workspace.suspend();
        assertThatThrownBy(() -> provider.rollBack(workspace.ref(), empty))
                .isInstanceOf(WorkspaceFailedException.class)
                .hasMessageContainingAll("module/.git", "Restore the snapshot into a new workspace");
        assertThat(files.resolve("module/.git")).content().startsWith("gitdir:");
        assertThatThrownBy(() -> provider.rollBack(workspace.ref(), "0123"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no snapshot '0123'");
        assertThat(files.resolveSibling("restored")).doesNotExist();
        provider.remove(workspace.ref());
    }
}
