package dev.paddock.executor.config.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests copies of directories of the user's, which the user may also have let commands write to. */
class CacheDirectoryTest {
    private static final int CALLS = 150;
    private static final int MANY_CALLS = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    private Path seed = Path.of("/");
    private volatile boolean stop;

    @BeforeEach
    void create() throws IOException {
        seed = Files.createDirectory(directory.toRealPath().resolve("seed"));
    }

    private Path make(String name) throws IOException {
        Path home = seed.resolveSibling("caches");
        new CacheDirectory(home).make(home.resolve(name), Map.of("copy", seed));
        return home.resolve(name).resolve("copy");
    }

    @Test
    void copyHasContentPermissionsAndTimes() throws IOException {
        Path program = Files.writeString(seed.resolve("program"), "x".repeat(100_000));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Files.setLastModifiedTime(program, FileTime.from(Instant.ofEpochSecond(1_000_000)));

        Path copy = make("one").resolve("program");

        assertThat(copy).hasSameBinaryContentAs(program);
        assertThat(Files.getPosixFilePermissions(copy)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getLastModifiedTime(copy)).isEqualTo(Files.getLastModifiedTime(program));
    }

    /** A command makes such a file in a moment where the user lets it write to the original. */
    @Test
    void holesStayHolesAndDoNotCount() throws Exception {
        assumeTrue(Kernel.isAvailable(), "holes are kept by calls of the kernel");
        try (RandomAccessFile sparse =
                new RandomAccessFile(seed.resolve("sparse").toFile(), "rw")) {
            sparse.setLength(8L << 30);
            sparse.seek(4L << 30);
            sparse.write('x');
        }
        Path home = seed.resolveSibling("caches");

        new CacheDirectory(home).make(home.resolve("one"), Map.of("copy", seed), 1 << 20);

        Path copy = home.resolve("one/copy/sparse");
        assertThat(Files.size(copy)).isEqualTo(8L << 30);
        assertThat(blocks(copy)).isLessThan(1 << 10);
    }

    private static long blocks(Path file) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
    }

    @Test
    void seedsBeyondSumAreRefusedAndLeaveNothing() throws IOException {
        Files.write(seed.resolve("one"), new byte[700_000]);
        Files.write(seed.resolve("two"), new byte[700_000]);
        Path home = seed.resolveSibling("caches");

        assertThatThrownBy(() -> new CacheDirectory(home).make(home.resolve("one"), Map.of("copy", seed), 1 << 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 1 MiB of data");
        assertThat(home).isEmptyDirectory();

        new CacheDirectory(home).make(home.resolve("one"), Map.of("copy", seed), 2 << 20);
        assertThat(home.resolve("one/copy/two")).hasSize(700_000);
    }

    @Test
    void pipeExchangedForFileBlocksNoCopy() throws Exception {
        exchangingPipe(CALLS);
    }

    @Tag("full")
    @Test
    void pipeExchangedForFileBlocksNoneOfSixHundredCopies() throws Exception {
        exchangingPipe(MANY_CALLS);
    }

    private void exchangingPipe(int calls) throws Exception {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        Files.writeString(seed.resolve("file"), "content");
        assertThat(new ProcessBuilder("mkfifo", seed.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        exchanging("file", "pipe", calls);
    }

    @Test
    void noLinkExchangedForDirectoryLeadsCopyOutOfIt() throws Exception {
        exchangingLink(CALLS);
    }

    @Tag("full")
    @Test
    void noLinkExchangedForDirectoryLeadsSixHundredCopiesOutOfIt() throws Exception {
        exchangingLink(MANY_CALLS);
    }

    private void exchangingLink(int calls) throws Exception {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        Path outside = Files.createDirectory(seed.resolveSibling("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.writeString(Files.createDirectory(seed.resolve("below")).resolve("file"), "content");
        Files.createSymbolicLink(seed.resolve("link"), outside);

        exchanging("below", "link", calls);

        make("still");
        try (var all = Files.walk(seed.resolveSibling("caches"))) {
            assertThat(all).anyMatch(copy -> copy.endsWith("file")).noneMatch(copy -> copy.endsWith("secret"));
        }
    }

    /** Makes caches while two entries of the seed are exchanged. */
    private void exchanging(String one, String another, int calls) throws IOException {
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(one, another));
        try {
            assertTimeoutPreemptively(PATIENCE, () -> {
                int successes = 0;
                for (int call = 0; call < calls || successes == 0; call++) { // the exchanging thread may stand still
                    successes += isMade("cache" + call) ? 1 : 0;
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
        try (var caches = Files.list(seed.resolveSibling("caches"))) {
            assertThat(caches)
                    .as("unfinished copies")
                    .noneMatch(cache -> cache.toString().contains(".new-"));
        }
    }

    private boolean isMade(String name) {
        try {
            make(name);
            return true;
        } catch (IOException otherKind) {
            return false;
        }
    }

    private int exchange(String one, String another) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(seed));
            int exchanges = 0;
            do {
                kernel.exchange(at, one, another);
                exchanges++;
            } while (!stop);
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }
}
