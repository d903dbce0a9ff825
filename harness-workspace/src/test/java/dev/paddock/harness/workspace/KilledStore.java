package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A store of snapshots of one tree, whose users are killed, and what holds after each kill. */
final class KilledStore {
    private final Path directory;
    private final Path tree;
    private final Path store;

    private final int directories;

    private KilledStore(Path directory, Path tree, int directories) {
        this.directory = directory;
        this.tree = tree;
        this.directories = directories;
        this.store = directory.resolve("store");
    }

    /** Makes a tree with as many directories in an empty directory. */
    static KilledStore in(Path directory, int directories) throws Exception {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Shell.run(tree, "for i in $(seq " + directories + "); do mkdir d$i; echo $i > d$i/f; ln d$i/f d$i/g; done");
        return new KilledStore(directory, tree, directories);
    }

    /** Shows that every snapshot and every restored tree is whole, and that the store can be used. */
    void checkEverySnapshot() throws Exception {
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        assertThat(snapshots.verify()).isEmpty();
        for (SnapshotInfo info : snapshots.list()) {
            Path target = directory.resolve("checked-" + info.id());
            assertThat(snapshots.restore(info.id(), target).files()).isEqualTo(info.files());
            assertThat(target.resolve("label")).hasContent(info.label());
            assertThat(target.resolve("label2")).hasContent(info.label());
        }
        for (Path restored : entries(directory, "restored-")) {
            assertThat(entries(restored, ""))
                    .as("a restored tree is whole")
                    .hasSizeGreaterThanOrEqualTo(directories + 3);
        }
        Shell.run(directory, "rm -rf checked-* restored-*");
        snapshots.snapshot("after");
        snapshots.delete(snapshots.list().getLast().id());
        assertThat(store.resolve("tmp")).isEmptyDirectory();
        assertThat(entries(directory, ".paddock")).isEmpty();
    }

    private static List<Path> entries(Path in, String prefix) throws IOException {
        try (Stream<Path> all = Files.list(in)) {
            return all.filter(path -> path.getFileName().toString().startsWith(prefix))
                    .toList();
        }
    }
}
