package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Kills JVMs that take and restore snapshots of one tree, and checks the store after each. */
final class KilledChildren {
    private final Path directory;
    private final Path tree;
    private final Path store;

    private final int directories;

    private KilledChildren(Path directory, Path tree, int directories) {
        this.directory = directory;
        this.tree = tree;
        this.directories = directories;
        this.store = directory.resolve("store");
    }

    /** Makes a tree with as many directories in an empty directory. */
    static KilledChildren in(Path directory, int directories) throws Exception {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Shell.run(tree, "for i in $(seq " + directories + "); do mkdir d$i; echo $i > d$i/f; ln d$i/f d$i/g; done");
        return new KilledChildren(directory, tree, directories);
    }

    /** Kills one child after the other while there is another to kill; returns their number. */
    int killWhile(BooleanSupplier another) throws Exception {
        Random random = new Random();
        int kills = 0;
        while (another.getAsBoolean()) {
            Process child = ChildProgram.start(List.of(), "forever", tree.toString(), store.toString());
            try {
                assertThat(child.inputReader().readLine()).isEqualTo("ready");
                child.waitFor(random.nextInt(600_000), TimeUnit.MICROSECONDS);
            } finally {
                child.destroyForcibly().waitFor();
            }
            kills++;
            checkEverySnapshot();
        }
        return kills;
    }

    /** Shows that every snapshot and every restored tree is whole, and that the store can be used. */
    void checkEverySnapshot() throws Exception {
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        assertThat(snapshots.verify()).isEmpty();
        for (SnapshotInfo info : snapshots.list()) {
            Path target = directory.resolve("checked");
            assertThat(snapshots.restore(info.id(), target).files()).isEqualTo(info.files());
            assertThat(target.resolve("label")).hasContent(info.label());
            assertThat(target.resolve("label2")).hasContent(info.label());
            Shell.run(directory, "rm -r checked");
        }
        for (Path restored : entries("restored-")) {
            assertThat(Shell.run(restored, "ls").lines())
                    .as("a restored tree is whole")
                    .hasSizeGreaterThanOrEqualTo(directories + 3);
            Shell.run(directory, "rm -r " + restored.getFileName());
        }
        snapshots.snapshot("after");
        snapshots.delete(snapshots.list().getLast().id());
        assertThat(store.resolve("tmp")).isEmptyDirectory();
        assertThat(entries(".paddock")).isEmpty();
    }

    private List<Path> entries(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }
}
