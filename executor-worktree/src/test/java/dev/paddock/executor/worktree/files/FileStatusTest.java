package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a file's status is what the JDK reports. */
class FileStatusTest {
    @TempDir
    Path directory;

    @Test
    void statusEqualsThatOfJdk() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Files.createLink(directory.resolve("second name"), file);
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("nowhere"));
        Path odd = Files.writeString(directory.resolve("f\u00fcr"), "text");

        for (Path path : new Path[] {file, link, directory, odd, Path.of("/dev/null"), Path.of("/proc/self/stat")}) {
            FileStatus status = FileStatus.of(path).orElseThrow();
            Map<String, Object> expected =
                    Files.readAttributes(path, "unix:mode,uid,gid,dev,ino,nlink,size,ctime", LinkOption.NOFOLLOW_LINKS);

            assertThat(status.mode()).as("mode of %s", path).isEqualTo(expected.get("mode"));
            assertThat(status.owner()).isEqualTo(expected.get("uid"));
            assertThat(status.group()).isEqualTo(expected.get("gid"));
            assertThat(status.device()).isEqualTo(expected.get("dev"));
            assertThat(status.inode()).isEqualTo(expected.get("ino"));
            assertThat(status.links()).isEqualTo(expected.get("nlink"));
            assertThat(status.size()).isEqualTo(expected.get("size"));
            assertThat(FileTime.from(status.changed(), TimeUnit.NANOSECONDS)).isEqualTo(expected.get("ctime"));
        }
        assertThat(FileStatus.of(link).orElseThrow().isLink()).isTrue();
        assertThat(FileStatus.of(file).orElseThrow().isFile()).isTrue();
        assertThat(FileStatus.of(directory).orElseThrow().isDirectory()).isTrue();
    }

    /** A file system that ignores some characters opens one file by several names. */
    @Test
    void identityDoesNotDependOnName() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");
        Path other = Files.createDirectory(directory.resolve("\u00fcber")).resolve("f\u200dile");
        Files.createLink(other, file);

        assertThat(FileStatus.of(other)).isEqualTo(FileStatus.of(file));
    }

    @Test
    void nothingIsBelowFileOrInAbsentDirectory() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "text");

        assertThat(FileStatus.of(directory.resolve("absent"))).isEmpty();
        assertThat(FileStatus.of(directory.resolve("absent/deeper"))).isEmpty();
        assertThat(FileStatus.of(file.resolve("deeper"))).isEmpty();
        assertThat(FileStatus.of(file.resolve("d\u00fcrftig"))).isEmpty();
    }

    @Test
    void timeInWholeSecondsProvesNothingForTwoSeconds() {
        long second = 1_700_000_000_000L;
        FileStatus coarse = status(second);
        FileStatus fine = status(second + 1);

        assertThat(fine.isSettledAt(second + 100)).isTrue();
        assertThat(coarse.isSettledAt(second + 1_900)).isFalse();
        assertThat(coarse.isSettledAt(second + 2_100)).isTrue();
    }

    private static FileStatus status(long changedMillis) {
        return new FileStatus(0, 0, 0, 0, 0, 1, 0, TimeUnit.MILLISECONDS.toNanos(changedMillis), 0);
    }

    @Test
    void pathThatKernelRefusesIsNoAbsentFile() {
        Path tooLong = directory.resolve("x".repeat(300));

        assertThatThrownBy(() -> FileStatus.of(tooLong)).hasMessageContaining("too long");
    }
}
