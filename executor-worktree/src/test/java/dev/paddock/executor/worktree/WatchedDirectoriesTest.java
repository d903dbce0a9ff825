package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.worktree.files.FileSystems;
import dev.paddock.executor.worktree.files.Inotify;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which directories need no search, since the kernel reports every change. */
class WatchedDirectoriesTest {
    @TempDir
    private Path directory;

    @Test
    void directoryOfThisKernelIsWatched() throws Exception {
        assumeTrue(FileSystems.areOfThisKernel(directory), "a file system that is not known");

        assertThat(isComplete(directory.toString())).isTrue();
    }

    /** As on a network file system, the kernel reports no changes in /proc. */
    @Test
    void directoryOfAnotherFileSystemIsSearchedEachTime() throws Exception {
        Path process = Path.of("/proc/self/task");
        assumeTrue(Files.isDirectory(process), "no /proc");

        assertThat(isComplete(process.toString())).isFalse();
    }

    private boolean isComplete(String watched) {
        try (WatchedDirectories directories = new WatchedDirectories(directory, Inotify.open())) {
            directories.renew();
            assumeTrue(directories.isComplete(), "no inotify");
            directories.add(watched);
            return directories.isComplete();
        }
    }
}
