package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.workspace.snapshot.Snapshots;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies and branches a tree, and takes and restores snapshots of it, while a command exchanges a file and a pipe, a directory and a
 * pipe, and a directory and a link that leads out.
 */
class ExchangedTreeTest {
    private static final int CALLS = 150;
    private static final int MANY_CALLS = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    Path temporary;

    private Path tree = Path.of("/");
    private volatile boolean stop;

    /** Takes the tree to a directory. */
    @FunctionalInterface
    private interface Call {
        void to(Path target) throws IOException;
    }

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        tree = Files.createDirectory(temporary.resolve("tree"));
        Shell.run(
                temporary,
                "mkdir outside && echo SECRET >outside/file && cd tree && mkdir one two && echo in >one/file"
                        + " && echo in >two/file && echo in >file && mkfifo pipe other && ln -s ../outside link");
    }

    @Test
    void copiesWaitForNoPipeAndFollowNoLink() throws Exception {
        exchanging(CALLS, target -> TreeCopy.copy(tree, target));
    }

    @Test
    void branchesWaitForNoPipeAndFollowNoLink() throws Exception {
        exchanging(CALLS, Snapshots.of(tree).store(temporary.resolve("store")).open()::branch);
    }

    @Tag("full")
    @Test
    void sixHundredBranchesWaitForNoPipeAndFollowNoLink() throws Exception {
        exchanging(
                MANY_CALLS, Snapshots.of(tree).store(temporary.resolve("store")).open()::branch);
    }

    @Test
    void snapshotsWaitForNoPipeAndFollowNoLink() throws Exception {
        restoring(CALLS);
    }

    @Tag("full")
    @Test
    void sixHundredSnapshotsWaitForNoPipeAndFollowNoLink() throws Exception {
        restoring(MANY_CALLS);
    }

    private void restoring(int calls) throws Exception {
        Snapshots snapshots =
                Snapshots.of(tree).store(temporary.resolve("store")).open();
        exchanging(
                calls,
                target -> snapshots.restore(snapshots.snapshot("under exchange").id(), target));
    }

    private void exchanging(int calls, Call call) throws Exception {
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(this::exchange);
        try {
            assertTimeoutPreemptively(PATIENCE, () -> {
                for (int number = 0; number < calls; number++) {
                    Path target = temporary.resolve("target" + number);
                    if (succeeds(call, target)) {
                        assertHasNothingOfOutside(target);
                    }
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
        assertThat(temporary.resolve("outside/file")).hasContent("SECRET");

        Path still = temporary.resolve("still");
        call.to(still);
        assertHasNothingOfOutside(still);
        assertThat(Stream.of("one/file", "two/file", "file").map(still::resolve))
                .as("the control")
                .anyMatch(Files::isRegularFile);
    }

    private static boolean succeeds(Call call, Path target) throws IOException {
        try {
            call.to(target);
            return true;
        } catch (TreeException | NoSuchFileException changed) {
            return false;
        }
    }

    private static void assertHasNothingOfOutside(Path target) throws IOException {
        try (Stream<Path> all = Files.walk(target)) {
            assertThat(all.filter(path -> Files.isRegularFile(path, java.nio.file.LinkOption.NOFOLLOW_LINKS)))
                    .allSatisfy(file -> assertThat(file).hasContent("in"));
        }
    }

    private int exchange() {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(tree));
            int exchanges = 0;
            do {
                kernel.exchange(at, "file", "pipe");
                kernel.exchange(at, "one", "other");
                kernel.exchange(at, "two", "link");
                exchanges++;
            } while (!stop);
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
