package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages each file of a store. */
class CorruptionTest {
    @TempDir
    Path temporary;

    private Path tree;
    private Path store;
    private SnapshotInfo snapshot;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        tree = Files.createDirectory(temporary.resolve("tree"));
        store = temporary.resolve("store");
        Shell.run(
                tree,
                "mkdir a; echo one > a/one; head -c 20000 /dev/urandom > two; head -c 90000 /dev/urandom > three");
        snapshot = open().snapshot("label");
    }

    private Snapshots open() throws IOException {
        return Snapshots.of(tree).store(store).open();
    }

    private List<Path> files() throws IOException {
        List<Path> found = new ArrayList<>();
        for (String directory : List.of("packs", "objects", "manifests", "snapshots")) {
            try (Stream<Path> files = Files.walk(store.resolve(directory))) {
                files.filter(Files::isRegularFile).forEach(found::add);
            }
        }
        assertThat(found).hasSize(4);
        return found;
    }

    private void isDetected(Path file, String how) throws Exception {
        assertThat(open().verify())
                .as("%s %s", file, how)
                .isNotEmpty()
                .anySatisfy(damage -> assertThat(damage.snapshots()).containsExactly(snapshot.id()));
        Path target = temporary.resolve("restored");
        assertThatThrownBy(() -> open().restore(snapshot.id(), target))
                .as("%s %s", file, how)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        fault -> assertThat(fault.reason()).isEqualTo(StoreException.Reason.CORRUPT));
        assertThat(target).doesNotExist();
        assertThat(Shell.run(temporary, "ls -A")).doesNotContain(".paddock");
    }

    @Test
    void everyAlteredByteIsDetected() throws Exception {
        Random random = new Random(7);
        for (Path file : files()) {
            byte[] intact = Files.readAllBytes(file);
            List<Integer> places = new ArrayList<>(List.of(0, intact.length / 2, intact.length - 1));
            for (int turn = 0; turn < 12; turn++) {
                places.add(Math.max(0, intact.length - 1 - random.nextInt(Math.min(intact.length, 200))));
                places.add(random.nextInt(intact.length));
            }
            for (int place : places) {
                byte[] altered = intact.clone();
                altered[place] ^= (byte) (1 << random.nextInt(8));
                Files.write(file, altered);
                isDetected(file, "altered at " + place);
            }
            Files.write(file, intact);
        }
        assertThat(open().verify()).isEmpty();
    }

    @Test
    void everyCutOrMissingOrLongerFileIsDetected() throws Exception {
        for (Path file : files()) {
            byte[] intact = Files.readAllBytes(file);
            for (int length : new int[] {0, 3, intact.length / 2, intact.length - 1}) {
                Files.write(file, Arrays.copyOf(intact, length));
                isDetected(file, "cut to " + length);
            }
            Files.write(file, Arrays.copyOf(intact, intact.length + 1));
            isDetected(file, "longer");
            if (!file.startsWith(store.resolve("snapshots"))) {
                Files.delete(file);
                isDetected(file, "missing");
            }
            Files.write(file, intact);
        }
    }

    @Test
    void damagedSnapshotCanBeDeletedAndOthersRemain() throws Exception {
        Path manifest = files().get(2);
        Shell.run(tree, "echo more > more");
        SnapshotInfo second = open().snapshot("second");
        Shell.run(tree, "echo third > third");
        SnapshotInfo third = open().snapshot("third");
        Files.write(manifest, new byte[] {1, 2, 3});
        assertThatThrownBy(() -> open().delete(second.id())).hasMessageContaining(snapshot.id());

        open().delete(snapshot.id());

        assertThat(open().verify()).isEmpty();
        open().restore(third.id(), temporary.resolve("restored"));
        assertThat(Shell.contents(temporary.resolve("restored"))).isEqualTo(Shell.contents(tree));
    }
}
