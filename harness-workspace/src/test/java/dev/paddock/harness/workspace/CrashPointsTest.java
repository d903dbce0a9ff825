package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.fixtures.crash.CrashOperation;
import dev.paddock.fixtures.crash.KillSwitch;
import dev.paddock.fixtures.crash.SteppedClasses;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends each operation at each of its steps, as a kill does, and shows after each that what it works on
 * is that of before or of after. Kills of JVMs at random moments meet few of the steps, and the same
 * ones again and again.
 */
@Tag("full")
class CrashPointsTest {
    private static final SteppedClasses STEPPED = new SteppedClasses(
            CrashPointsTest.class.getClassLoader(),
            List.of("dev.paddock.harness.workspace"),
            Map.of("dev.paddock.executor.os.table.OwnerId.current", EndedOwner.class));
    private static final int DIRECTORIES = 2;

    @TempDir
    Path directory;

    private Kernel kernel;

    @BeforeEach
    void useTheRealPath() throws IOException {
        directory = directory.toRealPath();
        kernel = Kernel.create();
    }

    /** A part of a test that looks at the files after a kill. */
    @FunctionalInterface
    private interface Check {
        void run() throws Exception;
    }

    private void endAtEachStep(CrashOperations operation, Check check) throws Exception {
        int step = 0;
        CrashOperation stepped = STEPPED.stepped(operation);
        while (KillSwitch.killsAt(step, stepped, directory, kernel::close)) {
            try {
                check.run();
            } catch (Exception | AssertionError fault) {
                throw new AssertionError(operation + " killed at step " + step, fault);
            }
            step++;
        }
        check.run();
        assertThat(step).as("steps of %s", operation).isGreaterThan(DIRECTORIES);
    }

    @Test
    void snapshotIsCompleteOrAbsent() throws Exception {
        KilledStore store = KilledStore.in(directory, DIRECTORIES);
        endAtEachStep(CrashOperations.SNAPSHOT, store::checkEverySnapshot);
    }

    @Test
    void restoredTreeIsWholeOrAbsent() throws Exception {
        KilledStore store = KilledStore.in(directory, DIRECTORIES);
        CrashOperations.SNAPSHOT.run(directory);
        endAtEachStep(CrashOperations.RESTORE, store::checkEverySnapshot);
    }

    private KillSeries workspaces() throws Exception {
        KillSeries.createSeed(directory, DIRECTORIES);
        return new KillSeries(Kinds.LOCAL_SANDBOX, directory, "workspaces");
    }

    @Test
    void newWorkspaceIsWholeOrAbsent() throws Exception {
        endAtEachStep(CrashOperations.OPEN, workspaces()::everyWorkspaceIsWhole);
    }

    @Test
    void branchIsWholeOrAbsent() throws Exception {
        KillSeries workspaces = workspaces();
        CrashOperations.OPEN.run(directory);
        endAtEachStep(CrashOperations.BRANCH, () -> {
            workspaces.everyWorkspaceIsWhole();
            CrashOperations.REMOVE.run(directory);
        });
    }

    @Test
    void workspaceThatIsRemovedIsWholeOrGone() throws Exception {
        KillSeries workspaces = workspaces();
        for (int number = 0; number < 2; number++) {
            CrashOperations.OPEN.run(directory);
        }
        endAtEachStep(CrashOperations.REMOVE, () -> {
            workspaces.everyWorkspaceIsWhole();
            if (workspaces.all().size() < 2) {
                CrashOperations.OPEN.run(directory);
            }
        });
    }

    @Test
    void filesThatAreRolledBackAreThoseOfBeforeOrOfAfter() throws Exception {
        KillSeries workspaces = workspaces();
        CrashOperations.OPEN.run(directory);
        changeFiles(workspaces, "old");
        changeFiles(workspaces, "new");
        endAtEachStep(CrashOperations.ROLL_BACK, () -> {
            assertThat(workspaces.all()).hasSize(1);
            changeFiles(workspaces, "new");
        });
    }

    /** Shows that the files are of one time, takes a snapshot if there is none, and changes all of them. */
    private static void changeFiles(KillSeries workspaces, String content) throws Exception {
        Workspace workspace = workspaces.resolve(workspaces.all().getFirst());
        Path files = workspace.worktree().hostPath();
        if (content.equals("new")) {
            List<String> found = KillSeries.contents(files);
            assertThat(found).hasSize(DIRECTORIES);
            assertThat(Set.copyOf(found)).isSubsetOf("old\n", "new\n").hasSize(1);
        }
        Shell.run(files, "for i in d*/f; do echo " + content + " > $i; done");
        WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
        if (snapshots.list().isEmpty()) {
            snapshots.snapshot(content);
        }
        for (SnapshotInfo later : snapshots.list().subList(1, snapshots.list().size())) {
            snapshots.delete(later.id());
        }
        workspace.suspend();
    }
}
