package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.path.FileOpener;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens a run's files while another program exchanges them for a pipe, or for a link that leads out. */
class ExchangedFilesTest {
    private static final int CALLS = 600;

    @TempDir
    Path directory;

    private Path file = Path.of("/");
    private Path outside = Path.of("/");
    private volatile boolean stop;

    /** Opens the file, and uses it. */
    @FunctionalInterface
    private interface Call {
        void on(FileOpener opener) throws IOException;
    }

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        file = Files.writeString(directory.resolve("file"), "inside");
        outside = Files.writeString(directory.resolve("outside"), "secret");
        Files.createSymbolicLink(directory.resolve("link"), outside);
    }

    @Test
    void pipesBlockNeitherReadersNorWriters() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        exchanging("pipe", this::read);
        exchanging("pipe", this::write);
    }

    @Test
    void linksLeadNeitherReadersNorWritersOut() throws Exception {
        exchanging("link", this::read);
        exchanging("link", this::write);
        assertThat(outside).hasContent("secret");
    }

    private void read(FileOpener opener) throws IOException {
        try (FileChannel open = opener.open(file, StandardOpenOption.READ)) {
            ByteBuffer content = ByteBuffer.allocate(10);
            assertThat(open.read(content)).isEqualTo(6);
            assertThat(new String(content.array(), 0, 6, StandardCharsets.UTF_8))
                    .isEqualTo("inside");
        }
    }

    private void write(FileOpener opener) throws IOException {
        try (FileChannel open = opener.openOrCreate(file)) {
            open.write(ByteBuffer.wrap("inside".getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Makes at least so many calls, and more until one succeeds: the exchanging thread may stand still. */
    private void exchanging(String other, Call call) {
        stop = false;
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(other));
        FileOpener opener = FileOpener.installed();
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
                int successes = 0;
                for (int calls = 0; calls < CALLS || successes == 0; calls++) {
                    successes += succeeds(opener, call) ? 1 : 0;
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
    }

    private static boolean succeeds(FileOpener opener, Call call) throws IOException {
        try {
            call.on(opener);
            return true;
        } catch (FileSystemException otherKind) {
            return false;
        }
    }

    /** Exchanges at least once, and an even number of times: the file has its name afterwards. */
    private int exchange(String other) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory.toRealPath()));
            int exchanges = 0;
            do {
                kernel.exchange(at, "file", other);
                kernel.exchange(at, "file", other);
                exchanges++;
            } while (!stop);
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
