package dev.paddock.harness.files.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.FileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the operations while another thread replaces directories and files of a root by links that
 * lead out, as fast as it can.
 */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class WorkspaceSwapTest extends WorkspaceFilesBench {
    private static final int ROUNDS = 60;

    /** Bounds the rounds until enough swaps have been met: the swapping thread may be paused. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> contents = new ArrayList<>();
    private int refusals;
    private int successes;

    @ParameterizedTest
    @ValueSource(strings = {"/work", "/data", "/data/in/nested"})
    void nothingSwappedInDuringCallLeadsOut(String root) throws IOException {
        Path host = root.equals("/work") ? work : root.equals("/data") ? data : nested;
        put(host, "swap/deep/f", "INSIDE\n");
        Files.createDirectory(outside.resolve("deep"));
        Files.createDirectory(outside.resolve("deep/new"));
        Files.writeString(outside.resolve("deep/f"), SECRET);
        Files.writeString(outside.resolve("deep/new/f"), SECRET);
        all(root, 0);
        assertThat(refusals).as("the control: refusals without a swap").isZero();
        try (Swapper swapper = new Swapper(host, directory, outside)) {
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (int round = 0; round < ROUNDS || (!isMixed(swapper) && System.nanoTime() < end); round++) {
                all(root, round);
            }
            assertThat(swapper.swaps.get()).as("swaps under way").isGreaterThan(ROUNDS);
        }
        assertThat(contents).isNotEmpty().noneMatch(text -> text.contains("SECRET"));
        assertThat(refusals).as("calls that met a link").isPositive();
        assertThat(successes).as("calls that met a directory").isPositive();
        assertThat(outside.resolve("deep/f")).hasContent(SECRET);
        assertThat(outside.resolve("deep/new/f")).hasContent(SECRET);
        try (var entries = Files.walk(outside)) {
            assertThat(entries).hasSize(6);
        }
        Files.delete(outside.resolve("deep/new/f"));
        Files.delete(outside.resolve("deep/new"));
        Files.delete(outside.resolve("deep/f"));
        Files.delete(outside.resolve("deep"));
        try (var entries = Files.walk(host)) {
            assertThat(entries).noneMatch(entry -> entry.toString().contains(".paddock-"));
        }
    }

    /** Returns whether calls have met both links and directories. */
    private boolean isMixed(Swapper swapper) {
        return swapper.swaps.get() > ROUNDS && refusals > 0 && successes > 0;
    }

    private void all(String root, int round) {
        String deep = root + "/swap/deep";
        tried(() -> files.write(deep + "/new/f", bytes("INSIDE\n")));
        tried(() -> files.mkdir(deep + "/made" + round + "/a", true));
        tried(() -> contents.add(text(deep + "/f")));
        tried(() -> contents.add(text(deep + "/new/f")));
        tried(() -> files.list(deep).forEach(entry -> contents.add(entry.path())));
        tried(() -> files.grep(GrepQuery.regex("^(SEC|INS)").in(root), AbortSignal.never())
                .lines()
                .forEach(line -> contents.add(line.text())));
        tried(() -> files.update(
                deep + "/f",
                100,
                old -> {
                    contents.add(new String(old, StandardCharsets.UTF_8));
                    return old;
                },
                AbortSignal.never()));
        tried(() -> files.remove(deep + "/new", true));
        tried(() -> files.remove(deep + "/made" + round, true));
    }

    private void tried(Runnable call) {
        try {
            call.run();
            successes++;
        } catch (FileException refused) {
            refusals++;
        }
    }

    /** Swaps {@code swap} and {@code swap/deep} for links that lead out, and back. */
    private static final class Swapper implements AutoCloseable {
        private final AtomicLong swaps = new AtomicLong();
        private final Thread thread;
        private final Path tree;
        private final Path aside;
        private int strays;
        private volatile boolean stop;

        Swapper(Path tree, Path directory, Path outside) throws IOException {
            this.tree = tree;
            aside = Files.createDirectory(directory.resolve("aside"));
            Files.createSymbolicLink(aside.resolve("out"), outside);
            Files.createSymbolicLink(aside.resolve("deeper"), outside.resolve("deep"));
            thread = Thread.ofPlatform().daemon().name("swapper").start(this::run);
        }

        private void run() {
            try {
                while (!stop) {
                    swap(tree.resolve("swap"), aside.resolve("out"));
                    swap(tree.resolve("swap/deep"), aside.resolve("deeper"));
                    swaps.incrementAndGet();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Makes the name a link for a moment, then restores the original entry. */
        private void swap(Path name, Path link) throws IOException {
            Path original = aside.resolve("original");
            Files.move(name, original, StandardCopyOption.ATOMIC_MOVE);
            put(link, name);
            Thread.onSpinWait();
            put(name, link);
            put(original, name);
        }

        /** Moves an entry to a name; what an operation has created there meanwhile is moved away. */
        private void put(Path from, Path to) throws IOException {
            while (Files.exists(to, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(to, aside.resolve("stray" + strays++), StandardCopyOption.ATOMIC_MOVE);
            }
            try {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException appeared) {
                put(from, to);
            }
        }

        @Override
        public void close() {
            stop = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }
    }
}
