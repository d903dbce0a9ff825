package dev.paddock.executor.confined;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateHomeTest {

    @TempDir
    Path directory;

    private Path parent;
    private Path outside;

    @BeforeEach
    void makeDirectories() throws IOException {
        parent = Files.createDirectory(directory.toRealPath().resolve("homes"));
        outside = Files.createDirectory(directory.toRealPath().resolve("kept"));
        Files.createFile(outside.resolve("file"));
    }

    @Test
    void C12_whatADeadOwnerLeftIsSwept() throws Exception {
        try (PrivateHome live = PrivateHome.createIn("place", parent)) {
            Path dead = parent.resolve(PrivateHome.prefix("place") + "1");
            Files.createDirectories(dead.resolve("home/tmp"));
            String label = Files.readString(live.state().resolveSibling("owner"));
            Files.writeString(dead.resolve("owner"), label.substring(0, label.lastIndexOf('.')) + ".1");
            Path unknown = Files.createDirectory(parent.resolve(PrivateHome.prefix("place") + "2"));
            Files.createSymbolicLink(dead.resolve("home/link"), outside);
            assertThat(PrivateHome.sweep("place", parent)).containsExactly("directory " + dead);
            assertThat(dead).doesNotExist();
            assertThat(live.home()).exists();
            assertThat(unknown).exists();
            assertThat(outside.resolve("file")).exists();
        }
    }

    @Test
    void removalWithoutOpenDirectoriesFollowsNoLink() throws Exception {
        try (PrivateHome home = PrivateHome.createIn("place", parent)) {
            Path own = home.home().resolveSibling("");
            Files.createSymbolicLink(home.home().resolve("link"), outside);
            Path closed = Files.createDirectories(home.home().resolve("closed/deeper"));
            Files.createFile(closed.resolve("file"));
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
            PrivateHome.removeOutOfReach(own);
            assertThat(home.state()).doesNotExist();
            assertThat(parent).isEmptyDirectory();
            assertThat(outside.resolve("file")).exists();
        }
    }
}
