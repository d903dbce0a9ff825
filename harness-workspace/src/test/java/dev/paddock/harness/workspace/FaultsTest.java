package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills processes, and fills the disk, in the middle of each operation. */
class FaultsTest {
    @TempDir
    Path temporary;

    private Path tree;
    private Path store;

    @BeforeEach
    void create() throws IOException {
        temporary = temporary.toRealPath();
        tree = Files.createDirectory(temporary.resolve("tree"));
        store = temporary.resolve("store");
    }

    @Test
    void afterAKillEverySnapshotIsCompleteOrAbsent() throws Exception {
        kill(3);
    }

    @Tag("full")
    @Test
    void afterTwoHundredKillsEverySnapshotIsCompleteOrAbsent() throws Exception {
        kill(200);
    }

    private void kill(int times) throws Exception {
        Shell.run(tree, "for i in $(seq 60); do mkdir d$i; echo $i > d$i/f; ln d$i/f d$i/g; done");
        Random random = new Random();
        for (int time = 0; time < times; time++) {
            long seed = random.nextLong();
            Process child = ChildProgram.start(List.of(), "forever", tree.toString(), store.toString());
            try {
                assertThat(child.inputReader().readLine()).isEqualTo("ready");
                child.waitFor(new Random(seed).nextInt(600_000), TimeUnit.MICROSECONDS);
            } finally {
                child.destroyForcibly().waitFor();
            }
            checkEverySnapshot();
        }
    }

    private void checkEverySnapshot() throws Exception {
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        assertThat(snapshots.verify()).isEmpty();
        for (SnapshotInfo info : snapshots.list()) {
            Path target = temporary.resolve("checked");
            assertThat(snapshots.restore(info.id(), target).files()).isEqualTo(info.files());
            assertThat(target.resolve("label")).hasContent(info.label());
            assertThat(target.resolve("label2")).hasContent(info.label());
            Shell.run(temporary, "rm -r checked");
        }
        for (Path restored : entries("restored-")) {
            assertThat(Shell.run(restored, "ls").lines())
                    .as("a restored tree is whole")
                    .hasSizeGreaterThanOrEqualTo(63);
            Shell.run(temporary, "rm -r " + restored.getFileName());
        }
        snapshots.snapshot("after");
        snapshots.delete(snapshots.list().getLast().id());
        assertThat(store.resolve("tmp")).isEmptyDirectory();
        assertThat(entries(".paddock")).isEmpty();
    }

    private List<Path> entries(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return new ArrayList<>(
                    all.filter(path -> path.getFileName().toString().startsWith(prefix))
                            .toList());
        }
    }

    @Test
    void twoProcessesUseAStoreAtTheSameTime() throws Exception {
        Path other = Files.createDirectory(temporary.resolve("other"));
        Files.writeString(other.resolve("file"), "other");
        Process child = ChildProgram.start(List.of(), "forever", tree.toString(), store.toString());
        try {
            assertThat(child.inputReader().readLine()).isEqualTo("ready");
            Snapshots snapshots = Snapshots.of(other).store(store).open();
            for (int turn = 0; turn < 10; turn++) {
                Files.writeString(other.resolve("file"), "other " + turn);
                SnapshotInfo taken = snapshots.snapshot("" + turn);
                snapshots.restore(taken.id(), temporary.resolve("own" + turn));
                assertThat(temporary.resolve("own" + turn).resolve("file")).hasContent("other " + turn);
            }
            assertThat(child.isAlive()).isTrue();
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(Snapshots.of(other).store(store).open().verify()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFullDiskLeavesTheStoreAsItWas(boolean large) throws Exception {
        Path disk = Files.createDirectory(temporary.resolve("disk"));
        Process child = ChildProgram.start(
                List.of(
                        "unshare",
                        "-rm",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=3m none " + disk + " && exec \"$@\"",
                        "sh"),
                "full",
                tree.toString(),
                disk.resolve("store").toString(),
                Boolean.toString(large));
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();

        assertThat(output.lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("UNWRITABLE the store '" + disk.resolve("store") + "' cannot be written: ")
                                .containsIgnoringCase("no space left on"),
                        line -> assertThat(line).isEqualTo("damaged []"),
                        line -> assertThat(line).isEqualTo("same true"),
                        line -> assertThat(line)
                                .startsWith("big")
                                .contains(": it cannot be written to the new directory: no space left on the device"),
                        line -> assertThat(line).isEqualTo("left 1"),
                        line -> assertThat(line).isEqualTo("again first"));
    }
}
