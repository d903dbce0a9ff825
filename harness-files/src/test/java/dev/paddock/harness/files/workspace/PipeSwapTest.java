package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.files.access.FileException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that no operation waits at a pipe that another program exchanges for a file or a directory during the call. */
@EnabledOnOs(OS.LINUX)
class PipeSwapTest extends WorkspaceFilesBench {
    private static final int CALLS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private volatile boolean stop;

    @BeforeEach
    void makePipe() throws Exception {
        assumeTrue(Kernel.isAvailable(), "no pipe can be exchanged for a file here");
        assertThat(new ProcessBuilder("mkfifo", work.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void pipesExchangedForFilesBlockNoCall() throws IOException {
        put(work, "file", "text\n");
        exchanging("file", () -> {
            assertTimeoutPreemptively(
                    PATIENCE,
                    () -> calls(Map.of(
                            "read", () -> files.read("file", 100).length > 0,
                            "grep",
                                    () -> !files.grep(GrepQuery.regex("text"), AbortSignal.never())
                                            .lines()
                                            .isEmpty(),
                            "edit",
                                    () -> !files.update("file", 100, old -> old, AbortSignal.never())
                                            .created(),
                            "find", () -> !files.glob(List.of("file")).isEmpty(),
                            "write",
                                    () -> !files.write("other", bytes("x"))
                                            .path()
                                            .isEmpty())));
        });
    }

    @Test
    void pipesExchangedForDirectoriesBlockNoCall() throws IOException {
        put(work, "deep/file", "text\n");
        put(work, ".gitignore", "ignored\n");
        exchanging("deep", () -> {
            assertTimeoutPreemptively(
                    PATIENCE,
                    () -> calls(Map.of(
                            "read", () -> files.read("deep/file", 100).length > 0,
                            "ls", () -> !files.list("deep").isEmpty(),
                            "write",
                                    () -> !files.write("deep/new", bytes("x"))
                                            .path()
                                            .isEmpty(),
                            "grep",
                                    () -> !files.grep(GrepQuery.regex("text"), AbortSignal.never())
                                            .lines()
                                            .isEmpty())));
        });
    }

    /** Makes at least so many calls, and more until one has met the file: the exchanging thread may stand still. */
    private static void calls(Map<String, BooleanSupplier> operations) {
        operations.forEach((name, operation) -> {
            int successes = 0;
            for (int call = 0; call < CALLS || successes == 0; call++) {
                successes += isSuccessful(operation) ? 1 : 0;
            }
        });
    }

    private static boolean isSuccessful(BooleanSupplier operation) {
        try {
            return operation.getAsBoolean();
        } catch (FileException refused) {
            return false;
        }
    }

    private void exchanging(String name, Runnable calls) {
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(name));
        try {
            calls.run();
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).as("exchanges").isPositive();
    }

    private int exchange(String name) {
        int exchanges = 0;
        try {
            Kernel kernel = Kernel.create();
            int directory = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(work));
            try {
                while (!stop) {
                    kernel.exchange(directory, name, "pipe");
                    exchanges++;
                }
            } finally {
                kernel.close(directory);
            }
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
