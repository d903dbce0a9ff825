package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that work in one root, one after the other, and are killed in the middle of whatever they do. */
final class KillSeries {
    private final Kinds kind;
    private final Path root;
    private final Path seed;
    private final int seeded;
    private final DirectoryWorkspaceProvider provider;

    /** Creates a series in a root of its own, below a directory in which all series share a seed. */
    KillSeries(Kinds kind, Path temporary, String name) throws Exception {
        this.kind = kind;
        root = temporary.resolve(name);
        seed = temporary.resolve("seed");
        seeded = contents(seed).size();
        provider = kind.provider(root);
    }

    /** Makes the files with which each workspace begins. */
    static void createSeed(Path temporary, int directories) throws Exception {
        Path seed = Files.createDirectory(temporary.resolve("seed"));
        Shell.run(seed, "for i in $(seq " + directories + "); do mkdir d$i; echo $i > d$i/f; done");
    }

    /** Returns the content of the file in each directory of the seed, or of a copy of it. */
    static List<String> contents(Path files) throws IOException {
        List<String> contents = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(files, "d*")) {
            for (Path directory : directories) {
                contents.add(Files.readString(directory.resolve("f")));
            }
        }
        return contents;
    }

    /** Kills as many programs, and shows after each that every workspace is whole or gone. */
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

    List<WorkspaceEntry> all() {
        return provider.list();
    }

    Workspace resolve(WorkspaceEntry entry) {
        return provider.resolve(entry.ref());
    }

    /** Shows that every workspace is whole, and its snapshots are, and that others can be opened. */
    void everyWorkspaceIsWhole() throws Exception {
        for (WorkspaceEntry entry : provider.list()) {
            Workspace workspace = provider.resolve(entry.ref());
            requireWhole(workspace);
            workspace.suspend();
        }
        provider.open(kind.config().capabilities(Capability.FILES).build()).close();
        try (Stream<Path> all = Files.list(root)) {
            assertThat(all.map(path -> path.getFileName().toString()))
                    .as("what the killed process left in the root")
                    .allMatch(name -> name.matches("[0-9a-v]{26}"))
                    .as("each is a workspace")
                    .hasSameSizeAs(provider.list());
        }
    }

    private void requireWhole(Workspace workspace) throws Exception {
        Path files = workspace.worktree().hostPath();
        assertThat(contents(files)).hasSize(seeded).allMatch(content -> content.endsWith("\n"));
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
