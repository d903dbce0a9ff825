package dev.paddock.harness.workspace.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Status;
import dev.paddock.harness.workspace.Omission;
import dev.paddock.harness.workspace.TreeException;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads trees that commands have made as large as they like. */
class TreeBoundsTest {
    private static final int WIDE = 300;

    @TempDir
    Path temporary;

    private Path tree = Path.of("/");

    @BeforeEach
    void create() throws IOException {
        temporary = temporary.toRealPath();
        tree = Files.createDirectory(temporary.resolve("tree"));
    }

    /** Counts files, and interrupts its thread at each of them if that is wanted. */
    private static final class Counting implements TreeVisitor {
        private final boolean interrupts;
        private int files;

        Counting(boolean interrupts) {
            this.interrupts = interrupts;
        }

        @Override
        public void enter(String name, Status status, Source source) {}

        @Override
        public void leave() {}

        @Override
        public void file(String name, Status status, Source source) {
            files++;
            if (interrupts) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void link(String name, Status status, Source source) {}

        @Override
        public void omit(Omission omission) {}

        @Override
        public void borrow(Path objects) {}
    }

    @Test
    void interruptEndsReadingOfWideTreeAtNextEntry() throws IOException {
        for (int number = 0; number < WIDE; number++) {
            Files.createFile(tree.resolve("f" + number));
        }
        Counting visitor = new Counting(true);
        try {
            assertThatThrownBy(() -> reader(visitor).read())
                    .isInstanceOf(TreeException.class)
                    .hasMessageContaining("interrupted");
        } finally {
            assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        }
        assertThat(visitor.files).isEqualTo(1);
    }

    private TreeReader reader(TreeVisitor visitor) throws IOException {
        return new TreeReader(Kernel.create(), tree, temporary, visitor);
    }

    @Test
    void interruptEndsCopySnapshotAndRestoreAndLeavesNothing() throws IOException {
        try (RandomAccessFile large = new RandomAccessFile(tree.resolve("large").toFile(), "rw")) {
            large.write(new byte[1 << 20]);
        }
        Path store = temporary.resolve("store");
        Snapshots snapshots = Snapshots.of(tree).store(store).open();
        String id = snapshots.snapshot("before").id();
        Files.write(tree.resolve("large"), new byte[2 << 20]);
        Path target = temporary.resolve("target");

        assertInterrupted(() -> TreeCopy.copy(tree, target));
        assertInterrupted(() -> snapshots.branch(target));
        assertInterrupted(() -> snapshots.snapshot("interrupted"));
        assertInterrupted(() -> snapshots.restore(id, target));

        assertThat(temporary).isDirectoryContaining(path -> path.equals(tree));
        try (var left = Files.list(temporary)) {
            assertThat(left).containsExactlyInAnyOrder(tree, store);
        }
        assertThat(snapshots.list()).hasSize(1);
        snapshots.restore(id, target);
        assertThat(target.resolve("large")).hasSize(1 << 20);
    }

    /** An operation on the tree. */
    @FunctionalInterface
    private interface Act {
        void run() throws IOException;
    }

    private static void assertInterrupted(Act act) {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(act::run).isInstanceOf(IOException.class).hasMessageContaining("interrupted");
        } finally {
            assertThat(Thread.interrupted()).as("the thread stays interrupted").isTrue();
        }
    }

    @Test
    void treeOfMoreEntriesThanBoundIsRefusedInOneLine() throws IOException {
        Files.createFile(Files.createDirectory(tree.resolve("below")).resolve("file"));
        reader(new Counting(false)).atMost(2).read();
        Files.createFile(tree.resolve("below/another"));
        assertThatThrownBy(() -> reader(new Counting(false)).atMost(2).read())
                .isInstanceOf(TreeException.class)
                .hasMessageEndingWith(": the tree has more than 2 entries; remove those that are not needed");
    }
}
