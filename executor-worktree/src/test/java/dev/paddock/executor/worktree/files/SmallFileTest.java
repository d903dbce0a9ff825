package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that only regular files are opened, whatever a live command does meanwhile. */
class SmallFileTest {
    private static final Duration EXCHANGING = Duration.ofMillis(300);

    @TempDir
    Path directory;

    @Test
    void regularFilesUpToLimitAreRead() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "content");

        assertThat(SmallFile.read(file)).contains("content");
        assertThat(SmallFile.read(file, 7)).contains("content");
        assertThat(SmallFile.read(file, 6)).isEmpty();
        assertThat(SmallFile.read(directory.resolve("absent"))).isEmpty();
        assertThat(SmallFile.read(file.resolve("below"))).isEmpty();
        assertThat(SmallFile.read(directory)).isEmpty();
        assertThat(SmallFile.read(Files.createSymbolicLink(directory.resolve("link"), file)))
                .isEmpty();
    }

    @Test
    void pipeThatTakesFilesPlaceDoesNotBlock() throws Exception {
        assumeTrue(Kernel.isAvailable(), "the C library cannot be called here");
        new ProcessBuilder("mkfifo", directory.resolve("pipe").toString())
                .inheritIO()
                .start()
                .waitFor();
        Path file = Files.writeString(directory.resolve("file"), "content");
        CompletableFuture<Void> exchanges = CompletableFuture.runAsync(this::exchange);

        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            while (!exchanges.isDone()) {
                assertThat(SmallFile.read(file)).isIn(Optional.empty(), Optional.of("content"));
            }
        });

        assertThat(exchanges).isCompleted();
    }

    /** Puts a pipe and a file in the place of the file, over and over, as a live command can. */
    private void exchange() {
        Path file = directory.resolve("file");
        long end = System.nanoTime() + EXCHANGING.toNanos();
        try {
            while (System.nanoTime() < end) {
                Files.createLink(directory.resolve("next"), directory.resolve("pipe"));
                Files.move(directory.resolve("next"), file, StandardCopyOption.ATOMIC_MOVE);
                Files.writeString(directory.resolve("next"), "content");
                Files.move(directory.resolve("next"), file, StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
