package dev.paddock.executor.process.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests both removals of trees that commands may have made. */
@EnabledOnOs(OS.LINUX)
class TreeRemovalTest {
    private static final int DEEP = 5_000;

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
        RemovalByPath.remove(tree, "owner");
        assertThatTheTreeAloneIsGone();
        RemovalByPath.remove(tree, "owner");
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
}
