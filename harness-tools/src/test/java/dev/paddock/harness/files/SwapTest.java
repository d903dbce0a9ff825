package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the tools while a command replaces directories and files of the worktree by links that lead
 * out.
 */
@EnabledOnOs(OS.LINUX)
class SwapTest {
    private static final int ROUNDS = 60;

    /** Bounds the rounds until enough swaps have been met: the swapping thread may be paused. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void nothingSwappedInDuringCallLeadsOut() throws IOException {
        try (FileToolBench bench = FileToolBench.in(directory)) {
            bench.put("swap/f", "INSIDE\n");
            bench.put("swap/deep/f", "INSIDE\n");
            Files.createDirectory(bench.outside.resolve("deep"));
            Files.writeString(bench.outside.resolve("f"), "SECRET\n");
            Files.writeString(bench.outside.resolve("deep/f"), "SECRET\n");
            Map<String, String> before = content(bench.outside);
            everyToolWorks(bench);
            Tally swapped = new Tally();
            try (Swapper swapper = new Swapper(bench)) {
                long end = System.nanoTime() + PATIENCE.toNanos();
                for (int round = 0; round < ROUNDS || (!swapped.isMixed(swapper) && System.nanoTime() < end); round++) {
                    callAll(bench, swapped, round);
                }
                assertThat(swapper.swaps.get()).as("swaps under way").isGreaterThan(ROUNDS);
            }
            assertThat(content(bench.outside)).as("what is outside").isEqualTo(before);
            assertThat(swapped.texts).as("the output shown to the model").noneMatch(text -> text.contains("SECRET"));
            assertThat(swapped.errors).as("calls that met a link").isPositive();
            assertThat(swapped.successes).as("calls that met a directory").isPositive();
            everyToolWorks(bench);
            assertThat(content(bench.worktree))
                    .noneSatisfy((path, any) -> assertThat(path).contains(".paddock-"));
        }
    }

    /** Runs the positive control: the same calls succeed when nothing is swapped. */
    private static void everyToolWorks(FileToolBench bench) {
        Tally still = new Tally();
        callAll(bench, still, 0);
        assertThat(still.texts)
                .as("calls without a swap")
                .allSatisfy(text -> assertThat(text).isNotEmpty());
        assertThat(still.errors).as("errors without a swap: %s", still.texts).isZero();
    }

    private static void callAll(FileToolBench bench, Tally tally, int round) {
        tally.add(bench.call("read", "path", "swap/f"));
        tally.add(bench.call("read", "path", "swap/deep/f"));
        tally.add(bench.call("write", "path", "swap/w", "content", "x"));
        tally.add(bench.call("write", "path", "swap/new" + round + "/deep/w", "content", "x"));
        tally.add(bench.call("edit", "path", "swap/deep/f", "old_string", "INSIDE", "new_string", "INSIDE."));
        tally.add(bench.call("edit", "path", "swap/deep/f", "old_string", "INSIDE.", "new_string", "INSIDE"));
        tally.add(bench.call("ls", "path", "swap/deep"));
        tally.add(bench.call("grep", "pattern", "SECRET|INSIDE", "path", "swap"));
        tally.add(bench.call("grep", "pattern", "SECRET|INSIDE"));
        tally.add(bench.call("find", "glob", "f", "path", "swap"));
    }

    private static Map<String, String> content(Path directory) throws IOException {
        try (var all = Files.walk(directory)) {
            return all.collect(Collectors.toMap(
                    path -> directory.relativize(path).toString(), SwapTest::describe, (a, b) -> a, TreeMap::new));
        }
    }

    private static String describe(Path path) {
        try {
            return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    ? Files.readString(path) + Files.getLastModifiedTime(path)
                    : "directory";
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Counts the results of many calls. */
    private static final class Tally {
        private final List<String> texts = new ArrayList<>();
        private int errors;
        private int successes;

        void add(ToolResult result) {
            // The result of a grep may contain its pattern, but not the file's line, which begins
            // in the same way.
            texts.add(result.text().replace("SECRET|INSIDE", ""));
            errors += result.isError() ? 1 : 0;
            successes += result.isError() ? 0 : 1;
        }

        boolean isMixed(Swapper swapper) {
            return swapper.swaps.get() > ROUNDS && errors > 0 && successes > 0;
        }
    }

    /**
     * Swaps {@code swap}, {@code swap/deep} and {@code swap/f} for links that lead out, and back,
     * as fast as it can.
     */
    private static final class Swapper implements AutoCloseable {
        private final AtomicLong swaps = new AtomicLong();
        private final Thread thread;
        private final Path tree;
        private final Path aside;
        private int strays;
        private volatile boolean stop;

        Swapper(FileToolBench bench) throws IOException {
            tree = bench.worktree;
            aside = Files.createDirectory(bench.logs.resolveSibling("aside"));
            Files.createSymbolicLink(aside.resolve("out"), bench.outside);
            Files.createSymbolicLink(aside.resolve("deeper"), Path.of("../../outside/deep"));
            Files.createSymbolicLink(aside.resolve("file"), bench.outside.resolve("f"));
            thread = Thread.ofPlatform().daemon().name("swapper").start(this::run);
        }

        private void run() {
            try {
                while (!stop) {
                    swap(tree.resolve("swap"), aside.resolve("out"));
                    swap(tree.resolve("swap/deep"), aside.resolve("deeper"));
                    swap(tree.resolve("swap/f"), aside.resolve("file"));
                    swaps.incrementAndGet();
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        /** Makes the name a link for a moment, then restores the original entry. */
        private void swap(Path name, Path link) throws IOException {
            Path kept = aside.resolve("kept");
            Files.move(name, kept, StandardCopyOption.ATOMIC_MOVE);
            put(link, name);
            Thread.onSpinWait();
            put(name, link);
            put(kept, name);
        }

        /**
         * Moves an entry to a name. A tool that finds nothing under the name may create an entry
         * there; that is removed first.
         */
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
