package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the configuration of a worktree in which commands make pipes. */
class ConfigFileSwapTest {
    private static final int CALLS = 600;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private Path file = Path.of("/");
    private volatile boolean stop;

    @BeforeEach
    void create() throws Exception {
        directory = directory.toRealPath();
        file = directory.resolve("paddock.yaml");
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void pipeWithFilesNameIsRefused() throws IOException {
        Files.move(directory.resolve("pipe"), file);
        assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThatExceptionOfType(SandboxConfigException.class)
                        .isThrownBy(() -> SandboxConfig.read(file))
                        .withMessageContaining(file + " is no regular file"));
    }

    @Test
    void pipeExchangedForFileBlocksNothing() throws IOException {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        Files.writeString(file, "network: off\n");
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(this::exchange);
        try {
            assertTimeoutPreemptively(PATIENCE, () -> {
                int successes = 0;
                for (int call = 0; call < CALLS || successes == 0; call++) { // the exchanging thread may stand still
                    successes += isRead() ? 1 : 0;
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
    }

    private boolean isRead() {
        try {
            SandboxConfig.read(file);
            return true;
        } catch (SandboxConfigException pipe) {
            return false;
        }
    }

    private int exchange() {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory));
            int exchanges = 0;
            do {
                kernel.exchange(at, "paddock.yaml", "pipe");
                exchanges++;
            } while (!stop);
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
