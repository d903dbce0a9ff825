package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of files and directories that their mode closes to their owner. */
class ClosedFilesTest {
    private static final String MODES = "stat -c '%n %a %s' closed shut; stat -c '%Y' closed";

    @TempDir
    private Path temporary;

    @Test
    void closedFilesAreKeptComparedAndRestored() throws Exception {
        DirectoryWorkspaceProvider provider =
                Kinds.LOCAL_BASH.provider(temporary.toRealPath().resolve("workspaces"));
        Workspace workspace = provider.open(Kinds.LOCAL_BASH.config().build());
        Path files = workspace.worktree().hostPath();
        Shell.run(files, "echo one >closed; mkdir shut; echo two >shut/inner; chmod 0 closed shut/inner shut");
        String modes = Shell.run(files, MODES);
        WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();

        String first = snapshots.snapshot("first").id();
        assertThat(Shell.run(files, MODES)).isEqualTo(modes).contains("closed 0 ", "shut 0 ");
        String same = snapshots.snapshot("the same").id();
        assertThat(snapshots.changes(first, same)).isEmpty();
        Shell.run(files, "chmod 600 closed; echo more >>closed; chmod 0 closed");
        String second = snapshots.snapshot("second").id();
        assertThat(snapshots.changes(first, second))
                .extracting(Change::toString)
                .hasSize(1);
        workspace.suspend();

        provider.rollBack(workspace.ref(), first);
        assertThat(Shell.run(files, MODES)).isEqualTo(modes);
        assertThat(Shell.run(files, "chmod 700 shut; chmod 600 closed shut/inner; cat closed shut/inner"))
                .isEqualTo("one\ntwo\n");
    }
}
