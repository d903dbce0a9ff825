package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests both removals of trees that commands may have made. */
@EnabledOnOs(OS.LINUX)
class TreeRemovalTest {
    private static final int DEEP = 2_500;
    private static final int WIDE = 5_000;

    @TempDir
    Path directory;

    private Path tree = Path.of("/");
    private Path outside = Path.of("/");

    @BeforeEach
    void fill() throws IOException {
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.createFile(outside.resolve("file"));
        tree = Files.createDirectory(directory.resolve("tree"));
        Files.createFile(tree.resolve("owner"));
        Files.createSymbolicLink(tree.resolve("link"), outside);
        Path closed = Files.createDirectories(tree.resolve("home/closed/deeper/deepest"));
        Files.createFile(closed.resolve("file"));
        Files.createSymbolicLink(closed.resolve("link"), outside);
        for (Path each = closed; !each.equals(tree); each = each.resolve("..").normalize()) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("---------"));
        }
    }

    private void assertThatTheTreeAloneIsGone() {
        assertThat(directory).isDirectoryNotContaining(path -> !path.equals(outside));
        assertThat(outside.resolve("file")).exists();
    }

    @Test
    void closedDirectoriesAreRemovedAndNoLinkIsFollowed() throws IOException {
        TreeRemoval.remove(tree, "owner");
        assertThatTheTreeAloneIsGone();
        TreeRemoval.remove(tree, "owner");
    }

    @Test
    void closedDirectoriesAreRemovedByPathAndNoLinkIsFollowed() throws IOException {
        RemovalByPath.remove(tree, "owner", TreeRemoval.MAX_DURATION);
        assertThatTheTreeAloneIsGone();
        RemovalByPath.remove(tree, "owner", TreeRemoval.MAX_DURATION);
    }

    /** A command nests so many directories in a moment, and more: no path, stack or table of open files holds them. */
    @Test
    void treeThatIsDeeperThanStackIsRemoved() throws IOException {
        Kernel kernel = Kernel.create();
        int open = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(tree));
        for (int depth = 0; depth < DEEP; depth++) {
            kernel.makeDirectory(open, "d");
            kernel.close(kernel.createFile(open, "file"));
            int deeper = kernel.openDirectory(open, "d");
            kernel.close(open);
            open = deeper;
        }
        kernel.close(open);
        TreeRemoval.remove(tree);
        assertThatTheTreeAloneIsGone();
    }

    /** A directory below has more files than one batch of names. */
    @Test
    void wideTreeIsRemoved() throws IOException {
        Path wide = Files.createDirectory(tree.resolve("wide"));
        Kernel kernel = Kernel.create();
        int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(wide));
        for (int number = 0; number < WIDE; number++) {
            kernel.makeLink(at, "l" + number, "nowhere");
        }
        kernel.close(at);
        TreeRemoval.remove(tree, "owner");
        assertThatTheTreeAloneIsGone();
    }

    /** A process that a command has left can add files for as long as the removal takes. */
    @Test
    void removalGivesUpAtBoundOfTime() throws IOException {
        for (Removal removal : List.<Removal>of(TreeRemoval::remove, RemovalByPath::remove)) {
            assertThatThrownBy(() -> removal.remove(tree, "", Duration.ZERO)).hasMessageContaining("it took too long");
            assertThat(tree).isDirectory();
        }
        TreeRemoval.remove(tree);
        assertThatTheTreeAloneIsGone();
    }

    /** A removal of a directory. */
    @FunctionalInterface
    private interface Removal {
        void remove(Path directory, String last, Duration most) throws IOException;
    }
}
