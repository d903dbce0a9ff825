package dev.paddock.executor.worktree.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreesTest {
    private static final int FILES = 50;
    private static final int ROUNDS = 10;

    @TempDir
    Path directory;

    private volatile boolean ended;

    @Test
    void copyNeverLeavesItsDirectoryByLinkThatTakesPlaceOfOneThatWasMade() throws Exception {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        Path source = Files.createDirectory(directory.resolve("source"));
        Path inner = Files.createDirectory(source.resolve("inner"));
        Path outside = Files.createDirectory(directory.resolve("outside"));
        for (int number = 0; number < FILES; number++) {
            Files.writeString(inner.resolve("file" + number), "content");
        }
        int exchanges = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Path worktree = Files.createDirectory(directory.resolve("worktree" + round));
            Files.createSymbolicLink(worktree.resolve("link"), outside);
            exchanges += copyUnderExchange(source, worktree) ? 1 : 0;
            assertThat(outside).isEmptyDirectory();
        }
        assertThat(exchanges).as("copies that were exchanged for the link").isPositive();

        try (Pinned from = Pinned.directory(source, source);
                Pinned parent = Pinned.directory(directory, directory)) {
            Trees.copy(from, parent, Path.of("copy"), budget());
        }
        assertThat(directory.resolve("copy/inner/file0")).hasContent("content");
    }

    @Test
    void holesTakeNoRoomInCopy() throws Exception {
        Path source = Files.createDirectory(directory.resolve("source"));
        Path file = Files.write(source.resolve("file"), new byte[] {1});
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {2}), 50_000_000);
            channel.write(ByteBuffer.wrap(new byte[] {0}), 100_000_000);
        }

        try (Pinned from = Pinned.directory(source, source);
                Pinned parent = Pinned.directory(directory, directory)) {
            Trees.copy(from, parent, Path.of("copy"), budget());
        }

        Path copy = directory.resolve("copy/file");
        assertThat(Files.mismatch(copy, file)).isEqualTo(-1);
        assertThat(blocks(copy)).isLessThan(1_000);
    }

    private static long blocks(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    private static Trees.Budget budget() {
        return new Trees.Budget(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Copies while another thread exchanges the copy, once, for the link; returns whether it did so. */
    private boolean copyUnderExchange(Path source, Path worktree) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        ended = false;
        CompletableFuture<Boolean> exchanged = CompletableFuture.supplyAsync(() -> exchange(worktree, begun));
        begun.await();
        try (Pinned from = Pinned.directory(source, source);
                Pinned parent = Pinned.directory(worktree, worktree)) {
            Trees.copy(from, parent, Path.of("copy"), budget());
        } catch (IOException replaced) {
            assertThat(replaced).hasMessageContaining("copy");
        } finally {
            ended = true;
        }
        return exchanged.join();
    }

    private boolean exchange(Path worktree, CountDownLatch begun) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(worktree));
            try {
                begun.countDown();
                boolean exchanged = false;
                while (!exchanged && !ended) {
                    exchanged = isExchanged(kernel, at);
                }
                return exchanged;
            } finally {
                kernel.close(at);
            }
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private static boolean isExchanged(Kernel kernel, int at) {
        try {
            kernel.exchange(at, "link", "copy");
            return true;
        } catch (Fault notYetMade) {
            return false;
        }
    }
}
