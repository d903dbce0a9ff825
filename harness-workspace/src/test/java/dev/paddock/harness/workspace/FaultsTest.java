package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.workspace.snapshot.Snapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uses a store in two processes at once, and fills its disk in the middle of an operation. */
@Tag("full")
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
    void twoProcessesUseStoreAtSameTime() throws Exception {
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
    void fullDiskLeavesStoreAsItWas(boolean large) throws Exception {
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
