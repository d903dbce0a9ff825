package dev.paddock.harness.workspace.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartialDirectoryTest {
    private static final int EXCLUSIVE = 2;

    @TempDir
    Path temporary;

    private Kernel kernel;
    private Path target;

    @BeforeEach
    void create() throws Exception {
        kernel = Kernel.create();
        target = temporary.resolve("target");
    }

    @Test
    void nextInSameDirectoryRemovesUnlockedDirectories() throws Exception {
        Path left = tree(".paddock-partial-left", 3);

        PartialDirectory.beside(kernel, target).close();

        assertThat(left).doesNotExist();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void nextInSameDirectoryKeepsLockedDirectories() throws Exception {
        Path used = tree(".paddock-partial-used", 3);
        int descriptor = locked(used);
        try {
            PartialDirectory.beside(kernel, target).close();

            assertThat(used).isNotEmptyDirectory();
        } finally {
            kernel.close(descriptor);
        }
    }

    /** As if a process that is being started still had a copy of the descriptor with the lock. */
    @Test
    void hiddenDirectoryIsRemovedThoughItIsLocked() throws Exception {
        Path directory = tree("complete", 3);
        int descriptor = locked(directory);
        try {
            PartialDirectory.removeHidden(kernel, PartialDirectory.hide(kernel, directory));

            assertThat(temporary).isEmptyDirectory();
        } finally {
            kernel.close(descriptor);
        }
    }

    @Test
    void nextInSameDirectoryRemovesHiddenDirectoryThoughItIsLocked() throws Exception {
        Path directory = tree("complete", 3);
        int descriptor = locked(directory);
        try {
            PartialDirectory.hide(kernel, directory);
            PartialDirectory.beside(kernel, target).close();

            assertThat(temporary).isEmptyDirectory();
        } finally {
            kernel.close(descriptor);
        }
    }

    @Test
    void severalRemoveHiddenDirectoryAtSameTime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 20; round++) {
                Path hidden = PartialDirectory.hide(kernel, tree("complete", 50));
                Callable<Void> removal = () -> {
                    PartialDirectory.removeHidden(Kernel.create(), hidden);
                    return null;
                };
                for (Future<Void> end : threads.invokeAll(List.of(removal, removal))) {
                    end.get();
                }
                assertThat(temporary).isEmptyDirectory();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Path tree(String name, int directories) throws Exception {
        Path root = Files.createDirectory(temporary.resolve(name));
        for (int number = 0; number < directories; number++) {
            Files.writeString(Files.createDirectory(root.resolve("d" + number)).resolve("f"), "x");
        }
        return root;
    }

    private int locked(Path directory) throws Exception {
        int descriptor = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory));
        assertThat(kernel.lock(descriptor, EXCLUSIVE)).isTrue();
        return descriptor;
    }
}
