package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several programs at once, trees that change, and a full disk. */
@Tag("full")
class WorkspaceFaultsTest {
    private static final int SEEDED = 60;
    private static final int PROGRAMS = 3;
    private static final int ROUNDS = 30;

    @TempDir
    Path temporary;

    private Path root;
    private Path seed;
    private Kinds kind = Kinds.LOCAL_SANDBOX;
    private DirectoryWorkspaceProvider provider;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
        seed = Files.createDirectory(temporary.resolve("seed"));
        Shell.run(seed, "for i in $(seq " + SEEDED + "); do mkdir d$i; echo $i > d$i/f; done");
        provider = kind.provider(root);
    }

    @Test
    void severalProcessesUseSameWorkspaces() throws Exception {
        List<Process> all = new ArrayList<>();
        try {
            for (int number = 0; number < PROGRAMS; number++) {
                all.add(WorkspaceProgram.start(kind, "rounds", root, seed, ROUNDS));
            }
            for (Process one : all) {
                String output = new String(one.getInputStream().readAllBytes(), UTF_8);
                assertThat(one.waitFor()).as(output).isZero();
                assertThat(output).containsPattern("(?m)^done [1-9]");
            }
        } finally {
            for (Process one : all) {
                one.destroyForcibly().waitFor();
            }
        }
        for (WorkspaceEntry entry : provider.list()) {
            Workspace workspace = provider.resolve(entry.ref());
            requireSeed(workspace);
            workspace.close();
        }
        openAndClose();
        assertThat(root).isEmptyDirectory();
    }

    private static void requireSeed(Workspace workspace) throws Exception {
        assertThat(Shell.run(workspace.worktree().hostPath(), "cat d*/f | wc -l")
                        .strip())
                .isEqualTo("" + SEEDED);
    }

    private void openAndClose() {
        WorkspaceConfig config = kind.config().capabilities(Capability.FILES).build();
        provider.open(config).close();
    }

    @Test
    void treeThatChangesIsOpenedConsistentlyOrNotAtAll() throws Exception {
        // A storm moves one file around the directories: a consistent workspace has it exactly once.
        Process storm = new ProcessBuilder(
                        "sh",
                        "-c",
                        "echo x > d1/wanderer; echo ready; i=1; until test -e ../stop; do j=$((i % " + SEEDED
                                + " + 1)); mv d$i/wanderer d$j/ || exit; i=$j; done")
                .directory(seed.toFile())
                .start();
        WorkspaceConfig config = kind.config()
                .capabilities(Capability.FILES, Capability.SNAPSHOTS)
                .copyOf(seed)
                .build();
        int refused = 0;
        try {
            assertThat(storm.inputReader().readLine()).isEqualTo("ready");
            // The storm may stand still during some turns.
            for (int turn = 0; turn < 10 || (refused == 0 && turn < 1_000); turn++) {
                try (Workspace workspace = provider.open(config)) {
                    assertThat(wanderers(workspace)).isEqualTo(1);
                } catch (WorkspaceFailedException changed) {
                    refused++;
                    assertThat(changed).hasCauseInstanceOf(TreeChangedException.class);
                    assertThat(changed.isTransient())
                            .as("worth another attempt")
                            .isTrue();
                    assertThat(root).isEmptyDirectory();
                }
            }
            assertThat(storm.isAlive()).isTrue();
        } finally {
            Files.createFile(temporary.resolve("stop"));
            storm.waitFor();
        }
        assertThat(refused).isPositive();
        try (Workspace workspace = provider.open(config)) {
            assertThat(wanderers(workspace)).isEqualTo(1);
        }
    }

    private static int wanderers(Workspace workspace) {
        return workspace.files().glob(List.of("*/wanderer")).size();
    }

    @Test
    void workspaceThatAnotherProgramWritesToIsCopiedConsistentlyOrNotAtAll() throws Exception {
        try (Workspace workspace = provider.open(kind.config()
                .capabilities(Capability.FILES, Capability.SNAPSHOTS)
                .copyOf(seed)
                .build())) {
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            Path stop = temporary.resolve("stop");
            Process writer = new ProcessBuilder(
                            "sh",
                            "-c",
                            "echo ready; until test -e " + stop + "; do : > d" + SEEDED + "/new; rm d" + SEEDED
                                    + "/new; done")
                    .directory(workspace.worktree().hostPath().toFile())
                    .start();
            try {
                assertThat(writer.inputReader().readLine()).isEqualTo("ready");
                awaitRefusal(() -> {
                    SnapshotInfo info = snapshots.snapshot("torn");
                    assertThat(info.files()).isBetween((long) SEEDED, SEEDED + 1L);
                    snapshots.delete(info.id());
                    return info;
                });
                awaitRefusal(() -> {
                    WorkspaceRef branch = snapshots.branch();
                    provider.resolve(branch).close();
                    return branch;
                });
            } finally {
                Files.createFile(stop);
                writer.waitFor();
            }
            assertThat(snapshots.list()).isEmpty();
            assertThat(provider.list()).hasSize(1);
            assertThat(snapshots.snapshot("whole").files()).isEqualTo(SEEDED);
        }
        assertThat(root).isEmptyDirectory();
    }

    /** Copies a tree that changes until the copy is refused: the writer may stand still during one. */
    private static void awaitRefusal(Callable<?> copy) {
        await("a copy is refused").atMost(Duration.ofSeconds(60)).until(() -> {
            try {
                Object unused = copy.call();
                return false;
            } catch (TreeChangedException refused) {
                return true;
            }
        });
    }

    @Test
    void fullDiskAtEachStepLeavesEachWorkspaceAndSnapshotWholeOrAbsent() throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        Path few = Files.createDirectory(temporary.resolve("few"));
        Shell.run(few, "for i in $(seq 12); do mkdir d$i; echo $i > d$i/f; done");
        Process child = ChildProgram.startMain(
                FullDiskProgram.class,
                List.of(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=4m none " + disk + " && exec \"$@\"",
                        "sh"),
                List.of(),
                disk.toString(),
                few.toString());
        String output = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor()).as(output).isZero();
        assertThat(output.lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("open: complete after [1-9]\\d* faults"),
                        line -> assertThat(line).matches("snapshot: complete after [1-9]\\d* faults"),
                        line -> assertThat(line).matches("restore: complete after [1-9]\\d* faults"),
                        line -> assertThat(line).matches("branch: complete after [1-9]\\d* faults"),
                        line -> assertThat(line).isEqualTo("closed all"));
    }
}
