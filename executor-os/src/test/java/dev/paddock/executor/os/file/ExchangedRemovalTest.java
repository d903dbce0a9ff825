package dev.paddock.executor.os.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Removes trees while a process that a command has left exchanges their directories and links that lead out. */
class ExchangedRemovalTest {
    private static final int ROUNDS = 8;
    private static final int DIRECTORIES = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private Path tree = Path.of("/");
    private Path outside = Path.of("/");
    private final AtomicInteger exchanges = new AtomicInteger();
    private volatile boolean stop;

    /** Removes trees. */
    @FunctionalInterface
    private interface Act {
        void run() throws IOException;
    }

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        directory = directory.toRealPath();
        tree = directory.resolve("tree");
        outside = Files.createDirectory(directory.resolve("outside"));
        Files.createFile(outside.resolve("file"));
        Files.createFile(Files.createDirectory(outside.resolve("deep")).resolve("file"));
    }

    @Test
    void nothingOutsideIsRemovedAndAllOfTreeIs() throws Exception {
        String before = listing();

        exchanging(() -> {
            for (int round = 0; round < ROUNDS || exchanges.get() == 0; round++) { // the other thread may stand still
                fill();
                TreeRemoval.remove(tree);
                assertThat(tree).doesNotExist();
            }
        });

        assertThat(listing()).isEqualTo(before);
    }

    /** The control: a removal that examines a path and then uses it leaves the tree by an exchanged link. */
    @Test
    void removalByPathLeavesTree() throws Exception {
        String before = listing();

        exchanging(() -> {
            while (listing().equals(before)) {
                fill();
                byPath(tree);
                TreeRemoval.remove(tree);
            }
        });
    }

    private static void byPath(Path path) throws IOException {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                    for (Path entry : entries) {
                        byPath(entry);
                    }
                }
            } else {
                Files.delete(path);
            }
        } catch (IOException exchanged) {
            return; // the next round meets another moment
        }
    }

    /** Makes the tree where nothing is exchanged yet. */
    private void fill() throws IOException {
        Path fresh = directory.resolve("fresh");
        for (int number = 0; number < DIRECTORIES; number++) {
            Path deep = Files.createDirectories(fresh.resolve("directory" + number + "/deep"));
            Files.createFile(deep.resolve("file"));
            Files.createFile(deep.resolveSibling("file"));
            Files.createSymbolicLink(fresh.resolve("link" + number), outside);
        }
        Files.move(fresh, tree);
    }

    private String listing() throws IOException {
        TreeMap<String, Object> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(outside)) {
            all.forEach(path -> found.put(path.toString(), mode(path)));
        }
        return found.toString();
    }

    private static Object mode(Path path) {
        try {
            return Files.getAttribute(path, "unix:mode");
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private void exchanging(Act act) {
        CompletableFuture<Void> exchanging = CompletableFuture.runAsync(this::exchange);
        try {
            assertTimeoutPreemptively(PATIENCE, act::run);
        } finally {
            stop = true;
        }
        exchanging.join();
        assertThat(exchanges).hasPositiveValue();
    }

    private void exchange() {
        try {
            Kernel kernel = Kernel.create();
            while (!stop) {
                exchangeAll(kernel);
            }
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private void exchangeAll(Kernel kernel) {
        int at;
        try {
            at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(tree));
        } catch (Fault removed) {
            return;
        }
        for (int number = DIRECTORIES - 1; number >= 0; number--) {
            try {
                kernel.exchange(at, "directory" + number, "link" + number);
                exchanges.incrementAndGet();
            } catch (Fault removed) {
                Thread.onSpinWait();
            }
        }
        kernel.close(at);
    }
}
