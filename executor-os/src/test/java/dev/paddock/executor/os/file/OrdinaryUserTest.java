package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs again what root is allowed in any case: closed directories are closed to their owner. */
@Tag("full")
class OrdinaryUserTest {
    /** The property with the directory that root has made for {@link ForeignDirectories}. */
    private static final String MADE = "paddock.removal.made";

    @Test
    void closedDirectoriesAreRemoved() throws Exception {
        OrdinaryUser.runs(3, TreeRemovalTest.class);
    }

    @Test
    void directoriesOfAnotherUserAreRemovedAsFarAsTheyMayBeWritten(@TempDir Path directory) throws Exception {
        Path writable = Files.createDirectory(directory.resolve("writable"));
        Path inner = Files.createDirectory(writable.resolve("inner"));
        Path sticky = Files.createDirectory(directory.resolve("sticky"));
        Path kept = Files.createFile(sticky.resolve("file"));
        Files.createFile(inner.resolve("file"));
        for (Path each : List.of(directory, writable, inner)) {
            Files.setAttribute(each, "unix:mode", 0777);
        }
        Files.setAttribute(sticky, "unix:mode", 01777);
        System.setProperty(MADE, directory.toString());
        try {
            OrdinaryUser.runs(3, ForeignDirectories.class);
        } finally {
            System.clearProperty(MADE);
        }
        assertThat(writable).doesNotExist();
        assertThat(kept).exists();
    }

    /** Nested, and so not run by itself. */
    static class ForeignDirectories {
        private final Path made =
                Path.of(Optional.ofNullable(System.getProperty(MADE)).orElseThrow());

        /** Their mode cannot be changed, and need not be. */
        @Test
        void thoseThatAllMayWriteToAreRemoved() throws IOException {
            TreeRemoval.remove(made.resolve("writable"));
            assertThat(made.resolve("writable")).doesNotExist();
        }

        @Test
        void fileInStickyOneIsNamedAsNotPermitted() {
            assertThatThrownBy(() -> TreeRemoval.remove(made.resolve("sticky")))
                    .isInstanceOf(Fault.class)
                    .hasMessageContaining("operation not permitted");
        }
    }
}
