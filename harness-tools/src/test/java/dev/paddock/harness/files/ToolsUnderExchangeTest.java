package dev.paddock.harness.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls each file tool while a command exchanges a file and a pipe, or a directory and a link that leads out, as fast as
 * the kernel does that.
 */
@Tag("full")
class ToolsUnderExchangeTest {
    private static final int CALLS = 600;

    /** Ends a call that hangs; no other call takes so long. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private volatile boolean stop;

    @ParameterizedTest
    @ValueSource(strings = {"read", "edit", "write", "ls", "grep", "find"})
    void noToolWaitsForPipe(String tool) throws Exception {
        try (FileToolBench bench = FileToolBench.in(directory)) {
            bench.put("place/file", "INSIDE\n");
            assertThat(new ProcessBuilder(
                                    "mkfifo",
                                    bench.worktree.resolve("place/pipe").toString())
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            exchanging(bench, "place/file", "place/pipe", tool);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"read", "edit", "write", "ls", "grep", "find"})
    void noToolFollowsLinkOut(String tool) throws Exception {
        try (FileToolBench bench = FileToolBench.in(directory)) {
            bench.put("place/file", "INSIDE\n");
            Files.writeString(bench.outside.resolve("file"), "SECRET\n");
            Files.writeString(bench.outside.resolve("outer"), "SECRET\n");
            bench.link("link", bench.outside.toString());

            exchanging(bench, "place", "link", tool);

            assertThat(bench.outside.resolve("file")).hasContent("SECRET\n");
            try (var entries = Files.list(bench.outside)) {
                assertThat(entries).hasSize(3);
            }
        }
    }

    /** Makes at least so many calls, and more until one succeeds: the exchanging thread may stand still. */
    private void exchanging(FileToolBench bench, String one, String another, String tool) {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        CompletableFuture<Integer> exchanges =
                CompletableFuture.supplyAsync(() -> exchange(bench.worktree, one, another));
        try {
            assertTimeoutPreemptively(PATIENCE, () -> {
                int successes = 0;
                for (int calls = 0; calls < CALLS || successes == 0; calls++) {
                    ToolResult result = call(bench, tool, calls);
                    assertThat(result.text().replace("SECRET|INSIDE", "")).doesNotContain("SECRET", "outer");
                    successes += result.isError() ? 0 : 1;
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
    }

    private static ToolResult call(FileToolBench bench, String tool, int number) {
        return switch (tool) {
            case "read" -> bench.call(tool, "path", "place/file");
            // The text alternates with the calls that succeed; another is found or refused.
            case "edit" ->
                bench.call(
                        tool,
                        "path",
                        "place/file",
                        "old_string",
                        number % 2 == 0 ? "INSIDE" : "inside",
                        "new_string",
                        number % 2 == 0 ? "inside" : "INSIDE");
            case "write" -> bench.call(tool, "path", "place/file", "content", "INSIDE\n");
            case "ls" -> bench.call(tool, "path", "place");
            case "grep" -> bench.call(tool, "path", "place", "pattern", "SECRET|INSIDE");
            case "find" -> bench.call(tool, "path", "place", "glob", "*");
            default -> throw new AssertionError(tool);
        };
    }

    private int exchange(Path worktree, String one, String another) {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(worktree));
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
