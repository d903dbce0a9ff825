package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.os.file.Pinned;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a pipe, which a live command has put in a file's place, blocks nobody. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipesTest {
    @TempDir
    Path directory;

    private Path pipe;

    @BeforeEach
    void makePipe() throws Exception {
        pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void itsPermissionsAreSet() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        try (Pinned made = Pinned.entry(pipe)) {
            made.adopt(Files.readAttributes(file, PosixFileAttributes.class));
        }

        assertThat(Files.getPosixFilePermissions(pipe)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
    }

    @Test
    void pipeIsNotListedAsDirectory() {
        assertThatThrownBy(() -> DirectoryReader.list(pipe)).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void directoryIsListedInOrder() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(DirectoryReader.list(directory)).containsExactly(file, pipe);
    }
}
