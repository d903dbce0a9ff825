package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.SweepMode;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills programs in the middle of whatever they do with workspaces. */
class WorkspaceKillsTest {
    private static final int SEEDED = 60;
    private static final int LONGEST_MICROS = 1_500_000;

    @TempDir
    Path temporary;

    private Path seed;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        seed = Files.createDirectory(temporary.resolve("seed"));
        Shell.run(seed, "for i in $(seq " + SEEDED + "); do mkdir d$i; echo $i > d$i/f; done");
    }

    @Test
    void afterAKillEachWorkspaceIsWholeOrGone() throws Exception {
        new Series(Kinds.LOCAL_SANDBOX, "workspaces").kill(5, LONGEST_MICROS);
    }

    /**
     * Two hundred kills, in parts that each have the whole time of a test: two series side by side, each
     * in a root of its own, since a kill is mostly a wait.
     */
    @Tag("full")
    @RepeatedTest(4)
    void afterManyKillsEachWorkspaceIsWholeOrGone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> series : threads.invokeAll(
                    IntStream.range(0, 2).mapToObj(this::series).toList())) {
                series.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Void> series(int number) {
        return () -> {
            new Series(Kinds.LOCAL_SANDBOX, "workspaces" + number).kill(25, LONGEST_MICROS);
            return null;
        };
    }

    @Tag("full")
    @Test
    void afterKillsEachWorkspaceInAContainerIsWholeOrGone() throws Exception {
        new Series(Kinds.DOCKER, "workspaces").kill(25, 3 * LONGEST_MICROS);
        ExecutorProvider docker = ExecutorProviders.named("docker");
        docker.sweep(SweepMode.REMOVE);
        assertThat(docker.sweep(SweepMode.REMOVE)).as("what a sweep has left").isEmpty();
    }

    /** Programs that work in one root, one after the other. */
    private final class Series {
        private final Kinds kind;
        private final Path root;
        private final DirectoryWorkspaceProvider provider;

        Series(Kinds kind, String name) throws Exception {
            this.kind = kind;
            root = temporary.resolve(name);
            provider = kind.provider(root);
        }

        void kill(int times, int longestMicros) throws Exception {
            Random random = new Random();
            for (int time = 0; time < times; time++) {
                Process child = WorkspaceProgram.start(kind, "forever", root, seed, 0);
                try {
                    assertThat(child.inputReader().readLine()).isEqualTo("ready");
                    child.waitFor(random.nextInt(longestMicros), TimeUnit.MICROSECONDS);
                } finally {
                    child.destroyForcibly().waitFor();
                }
                everyWorkspaceIsWhole();
            }
            for (WorkspaceEntry entry : provider.list()) {
                provider.remove(entry.ref());
            }
            assertThat(root).isEmptyDirectory();
        }

        private void everyWorkspaceIsWhole() throws Exception {
            for (WorkspaceEntry entry : provider.list()) {
                Workspace workspace = provider.resolve(entry.ref());
                requireWhole(workspace);
                workspace.suspend();
            }
            provider.open(kind.config().capabilities(Capability.FILES).build()).close();
            try (Stream<Path> all = Files.list(root)) {
                assertThat(all.map(path -> path.getFileName().toString()))
                        .as("what the killed process left in the root")
                        .allMatch(name -> name.matches("[0-9a-v]{26}"));
            }
        }

        private void requireWhole(Workspace workspace) throws Exception {
            Path files = workspace.worktree().hostPath();
            assertThat(Shell.run(files, "cat d*/f | wc -l").strip()).isEqualTo("" + SEEDED);
            if (Files.exists(files.resolve("label"))) {
                assertThat(Kinds.read(workspace, "label2")).isEqualTo(Kinds.read(workspace, "label"));
            }
            WorkspaceSnapshots snapshots = workspace.snapshots().orElseThrow();
            for (SnapshotInfo info : snapshots.list()) {
                try (Workspace restored = provider.resolve(snapshots.restore(info.id()))) {
                    assertThat(Kinds.read(restored, "label")).isEqualTo(info.label());
                    assertThat(Kinds.read(restored, "label2")).isEqualTo(info.label());
                }
            }
            Path store = files.resolveSibling("snapshots");
            assertThat(Snapshots.of(files).store(store).open().verify()).isEmpty();
        }
    }
}
