package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the time by which a file system dates changes. */
class FileClockTest {
    @TempDir
    Path directory;

    @Test
    void timeLiesBetweenThoseOfChangesBeforeAndAfter() throws Exception {
        Path before = Files.createFile(directory.resolve("before"));
        long now = FileClock.ofNewFile(directory);
        Path after = Files.createFile(directory.resolve("after"));

        assertThat(now).isBetween(changed(before), changed(after));
        assertThat(directory.toFile().list()).as("the file is removed").containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void thisMachinesTimeCountsWhereNoFileCanBeCreated() {
        long before = System.currentTimeMillis();

        assertThat(FileClock.ofNewFile(directory.resolve("absent"))).isBetween(before, System.currentTimeMillis());
    }

    private static long changed(Path file) throws Exception {
        return TimeUnit.NANOSECONDS.toMillis(FileStatus.of(file).orElseThrow().changed());
    }
}
