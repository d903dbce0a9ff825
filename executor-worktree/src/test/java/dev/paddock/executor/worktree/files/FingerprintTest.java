package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that content, kind, mode and names decide whether a file is the same, and that what is large is read seldom.
 */
class FingerprintTest {
    private static final int LARGE = (16 << 20) + 1;

    /** More than is read. */
    private static final long BEYOND = 257L << 20;

    @TempDir
    Path directory;

    @Test
    void sameBytesInAnotherFileAreSame() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Fingerprint before = Fingerprint.of(file);

        Path other = Files.writeString(directory.resolve("other"), "text");
        Files.setLastModifiedTime(other, FileTime.fromMillis(0));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertThat(isSame(before, file)).isTrue();
        assertThat(before.again(file, true)).as("it is another file").isNotEqualTo(before);
    }

    @Test
    void textIsThatOfSmallFileAlone() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "one\ntwo\n");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Path large = Files.writeString(directory.resolve("large"), "x".repeat(1 << 17));

        assertThat(Fingerprint.of(file).text()).contains("one\ntwo\n");
        assertThat(Fingerprint.of(large).text()).isEmpty();
        assertThat(Fingerprint.of(link).text()).isEmpty();
        assertThat(Fingerprint.of(directory).text()).isEmpty();
        assertThat(Fingerprint.ABSENT.text()).isEmpty();
    }

    @Test
    void bytesKindModeAndNamesAreCompared() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Fingerprint before = Fingerprint.of(file);
        assertThat(before.again(file, false)).isSameAs(before);

        Path second = Files.createLink(directory.resolve("second"), file);
        assertThat(isSame(before, file)).as("a second name").isFalse();
        Fingerprint shared = Fingerprint.of(file);
        Files.delete(second);
        assertThat(isSame(shared, file)).as("a name less").isTrue();

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(isSame(before, file)).as("mode").isFalse();
        Files.delete(file);
        assertThat(isSame(before, file)).as("absent").isFalse();
        Files.createSymbolicLink(file, Path.of("text"));
        assertThat(isSame(before, file)).as("a link").isFalse();
        Fingerprint link = Fingerprint.of(file);
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("test"));
        assertThat(isSame(link, file)).as("another target").isFalse();
    }

    @Test
    void groupThatMayWriteIsCompared() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        assumeTrue(FileStatus.of(file).orElseThrow().owner() == 0, "only root gives files to any group");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Fingerprint closed = Fingerprint.of(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        Fingerprint open = Fingerprint.of(file);
        Fingerprint tree = Fingerprint.of(directory);

        Files.setAttribute(file, "unix:gid", 12_345);
        assertThat(isSame(open, file)).isFalse();
        assertThat(isSame(tree, directory)).isFalse();
        Fingerprint others = Fingerprint.of(file);
        Files.setAttribute(
                file, "unix:gid", FileStatus.of(directory).orElseThrow().group());
        assertThat(isSame(others, file)).as("this JVM's group").isTrue();

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setAttribute(file, "unix:gid", 12_345);
        assertThat(isSame(closed, file)).as("it may not write").isTrue();
    }

    @Test
    void contentOfFileIsNotTakenForEntries() throws Exception {
        Path tree = Files.createDirectories(directory.resolve("tree"));
        Files.writeString(tree.resolve("a"), "");
        Files.writeString(tree.resolve("b"), "");
        Fingerprint before = Fingerprint.of(tree);
        String record = before.content().substring(before.content().indexOf("1 b"));

        Files.delete(tree.resolve("b"));
        Files.writeString(tree.resolve("a"), record);

        assertThat(isSame(before, tree)).isFalse();
    }

    /** As a command could leave one in place of a small file. */
    @Test
    void fileThatHasBecomeLargerIsNotRead() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Fingerprint before = Fingerprint.of(file);
        resize(file, 1L << 40);

        assertThat(isSame(before, file)).isFalse();
        assertThat(isSame(Fingerprint.ABSENT, file)).isFalse();
        assertThat(Fingerprint.of(file).content()).as("nor at the next begin").hasSizeLessThan(1_000);
    }

    @Test
    void largeFileIsReadOnceWhereItsStampsShowEachWrite() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assumeTrue(FileSystems.dateMappedWrites(file), "its times are not known to move");
        resize(file, LARGE);
        FileStatus.of(file).orElseThrow().awaitTick();
        Fingerprint before = Fingerprint.of(file);

        assertThat(before.stamps()).isPresent();
        assertThat(before.after(file, true)).isSameAs(before);
        assertThat(before.after(file, false)).isNotSameAs(before);
        overwriteLastByte(file);
        assertThat(before.after(file, true)).isNotEqualTo(before);
        assertThat(before.again(file, true)).isNotEqualTo(before);
    }

    @Test
    void manyEntriesAreReadOnceWhereTheirStampsShowEachWrite() throws Exception {
        assumeTrue(FileSystems.dateMappedWrites(directory), "its times are not known to move");
        Path last = directory;
        for (int number = 0; number < 1_001; number++) {
            last = Files.writeString(directory.resolve("file" + number), "text");
        }
        FileStatus.of(last).orElseThrow().awaitTick();
        Fingerprint before = Fingerprint.of(directory);

        assertThat(before.after(directory, true)).isSameAs(before);
        overwriteLastByte(last);
        assertThat(before.after(directory, true).isSame(before, Set.of())).isFalse();
    }

    @Test
    void largeFileIsReadEachTimeWhereWriteLeavesNoTrace() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(memory) && !FileSystems.dateMappedWrites(memory), "no tmpfs");
        Path file = Files.createTempFile(memory, "paddock-large-", "");
        try {
            resize(file, LARGE);
            FileStatus.of(file).orElseThrow().awaitTick();
            Fingerprint before = Fingerprint.of(file);
            FileStatus status = FileStatus.of(file).orElseThrow();

            overwriteLastByte(file);

            assertThat(FileStatus.of(file)).as("the write leaves no trace").contains(status);
            assertThat(isSame(before, file)).isFalse();
            assertThat(before.again(file, true)).isNotEqualTo(before);
        } finally {
            Files.delete(file);
        }
    }

    /** The large file comes first, and is not read. */
    @Test
    void smallFilesAreReadWhateverLiesBesideThem() throws Exception {
        resize(directory.resolve("a"), BEYOND);
        Path file = Files.writeString(directory.resolve("b"), "text");
        Fingerprint before = Fingerprint.of(directory);

        FileStatus.of(file).orElseThrow().awaitTick();
        Files.writeString(file, "text");
        assertThat(isSame(before, directory))
                .as("the same bytes at another time")
                .isTrue();
        Files.writeString(file, "evil");
        assertThat(isSame(before, directory)).isFalse();
    }

    @Test
    void smallFilesBesideLargeOnesAreReadWhereWriteLeavesNoTrace() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(memory) && !FileSystems.dateMappedWrites(memory), "no tmpfs");
        Path tree = Files.createTempDirectory(memory, "paddock-large-");
        Path large = tree.resolve("a");
        Path file = tree.resolve("b");
        try {
            resize(large, BEYOND);
            Files.writeString(file, "text");
            Fingerprint before = Fingerprint.of(tree);

            overwriteLastByte(file);

            assertThat(isSame(before, tree)).isFalse();
        } finally {
            Files.delete(large);
            Files.delete(file);
            Files.delete(tree);
        }
    }

    private static boolean isSame(Fingerprint before, Path file) {
        return before.isSame(before.after(file, true), Set.of());
    }

    private static void resize(Path file, long size) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(size);
        }
    }

    /** Writes through a mapping whose page was read before. */
    private static void overwriteLastByte(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            int last = (int) channel.size() - 1;
            var mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, last + 1);
            mapped.put(last, (byte) (mapped.get(last) + 1));
        }
    }
}
