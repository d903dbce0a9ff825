package dev.paddock.harness.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Snapshots and branches of a workspace, which are workspaces again. */
class WorkspaceSnapshotsTest {
    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void place() throws IOException {
        temporary = temporary.toRealPath();
        root = temporary.resolve("workspaces");
    }

    @Test
    @Tag("full")
    void snapshotAndBranchInContainersAreNewWorkspaces() throws Exception {
        snapshotAndBranchAreNewWorkspaces(Kinds.DOCKER);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOCKER")
    void snapshotAndBranchAreNewWorkspaces(Kinds kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.provider(root);
        try (Workspace workspace = provider.open(kind.config().build())) {
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            Kinds.run(workspace, "echo 1 > f; ln -s f link");
            SnapshotInfo first = snapshots.snapshot("first");
            Kinds.run(workspace, "echo 2 > f; echo 2 > g");
            SnapshotInfo second = snapshots.snapshot("second");
            assertThat(snapshots.list()).extracting(SnapshotInfo::label).containsExactly("first", "second");
            assertThat(snapshots.changes(first.id(), second.id())).hasSize(2);
            try (Workspace restored = provider.resolve(snapshots.restore(first.id()));
                    Workspace branch = provider.resolve(snapshots.branch())) {
                assertThat(Kinds.run(restored, "cat link; ls")).isEqualTo("1\nf\nlink\n");
                assertThat(Kinds.run(branch, "cat f g")).isEqualTo("2\n2\n");
                Kinds.run(restored, "echo 3 > f");
                Kinds.run(branch, "echo 4 > f");
                assertThat(Kinds.run(workspace, "cat f")).isEqualTo("2\n");
                assertThat(restored.snapshots().orElseThrow().list()).isEmpty();
                assertThat(branch.executor().guarantees())
                        .isEqualTo(workspace.executor().guarantees());
            }
            snapshots.delete(first.id());
            assertThat(snapshots.list()).extracting(SnapshotInfo::label).containsExactly("second");
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    @Tag("full")
    void nothingIsCopiedWhileCommandRunsInContainer() throws Exception {
        nothingIsCopiedWhileCommandRuns(Kinds.DOCKER);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DOCKER")
    void nothingIsCopiedWhileCommandRuns(Kinds kind) throws Exception {
        DirectoryWorkspaceProvider provider = kind.provider(root);
        try (Workspace workspace = provider.open(kind.config().build())) {
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            ProcessLike command = workspace
                    .executor()
                    .spawn(
                            "echo started; read end",
                            SpawnOptions.builder(workspace.worktree().commandPath())
                                    .stdin(SpawnOptions.Stdin.PIPE)
                                    .build());
            assertThat(command.stdout().readNBytes(8)).asString(UTF_8).isEqualTo("started\n");
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(() -> snapshots.snapshot(""))
                    .withMessageContaining("commands run in the workspace, 1 of them")
                    .satisfies(fault -> assertThat(fault.isTransient()).isTrue());
            assertThatExceptionOfType(WorkspaceFailedException.class).isThrownBy(snapshots::branch);
            Workspace elsewhere = provider.resolve(workspace.ref());
            assertThatExceptionOfType(WorkspaceFailedException.class)
                    .isThrownBy(() -> elsewhere.snapshots().orElseThrow().snapshot(""))
                    .withMessageContaining("elsewhere");
            command.stdin().close();
            command.onClosed().toCompletableFuture().join();
            assertThat(elsewhere.snapshots().orElseThrow().snapshot("").files()).isZero();
            elsewhere.suspend();
            assertThat(snapshots.snapshot("").files()).isZero();
        }
    }

    @Test
    void noCommandStartsWhileFilesAreCopied() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH.provider(root);
        try (Workspace workspace = provider.open(Kinds.LOCAL_BASH.config().build())) {
            Path lock = workspace.worktree().hostPath().resolveSibling("commands");
            Process copying =
                    new ProcessBuilder("flock", "-x", lock.toString(), "sh", "-c", "echo taken; read end").start();
            try {
                assertThat(copying.inputReader().readLine()).isEqualTo("taken");
                assertThatExceptionOfType(SpawnException.class)
                        .isThrownBy(() -> Kinds.run(workspace, "true"))
                        .withMessageContaining("files are being copied");
            } finally {
                copying.getOutputStream().close();
                copying.waitFor();
            }
            Kinds.run(workspace, "true");
        }
    }

    @Test
    void snapshotBeyondQuotaIsRefused() throws Exception {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH
                .builder(root)
                .anyCommand()
                .maxSnapshotBytes(100_000)
                .build();
        try (Workspace workspace = provider.open(Kinds.LOCAL_BASH.config().build())) {
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            Kinds.run(workspace, "head -c 10000 /dev/urandom > small");
            snapshots.snapshot("small");
            Kinds.run(workspace, "head -c 200000 /dev/urandom > large");
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> snapshots.snapshot("large"))
                    .satisfies(fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.QUOTA));
            assertThat(snapshots.list()).extracting(SnapshotInfo::label).containsExactly("small");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCAL_SANDBOX", "LOCAL_BASH"})
    void copyOfLinkedWorktreeCommitsToRepositoryOfItsOwn(Kinds kind) throws Exception {
        Path original = Files.createDirectory(temporary.resolve("original"));
        Shell.run(original, "git init -q; echo 1 > f; git add f; git commit -qm first; git worktree add -q ../linked");
        String heads = Shell.run(original, "git for-each-ref");
        DirectoryWorkspaceProvider provider = kind.provider(root);
        String commit = "export GIT_CONFIG_GLOBAL=/dev/null; echo 2 > f; git -c user.name=a -c user.email=a@example.org"
                + " commit -qam second && git log --format=%s";
        try (Workspace workspace =
                provider.open(kind.config().copyOf(temporary.resolve("linked")).build())) {
            WorkspaceRef branch = workspace.snapshots().orElseThrow().branch();
            assertThat(Kinds.run(workspace, commit)).isEqualTo("second\nfirst\n");
            String taken = workspace.snapshots().orElseThrow().snapshot("").id();
            try (Workspace other = provider.resolve(branch);
                    Workspace restored =
                            provider.resolve(workspace.snapshots().orElseThrow().restore(taken))) {
                assertThat(Kinds.run(other, "git log --format=%s")).isEqualTo("first\n");
                assertThat(Kinds.run(restored, "git log --format=%s; git status --porcelain"))
                        .isEqualTo("second\nfirst\n");
            }
        }
        assertThat(Shell.run(original, "git for-each-ref")).isEqualTo(heads);
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void withoutCapabilityThereAreNone() {
        DirectoryWorkspaceProvider provider = Kinds.LOCAL_BASH.provider(root);
        try (Workspace workspace = provider.open(
                Kinds.LOCAL_BASH.config().capabilities(Capability.FILES).build())) {
            assertThat(workspace.snapshots()).isEmpty();
        }
    }
}
