package dev.paddock.executor.sandbox.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the search for hidden files while a command changes the tree. */
@EnabledOnOs(OS.LINUX)
class HiddenPathsSwapTest {
    private static final int CALLS = 600;

    @TempDir
    Path directory;

    private Path worktree = Path.of("/");
    private volatile boolean stop;

    @BeforeEach
    void create() throws IOException {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        worktree = Files.createDirectory(directory.toRealPath().resolve("worktree"));
    }

    private HiddenPaths find() {
        return HiddenPaths.find(
                SandboxPolicy.builder(PathMapping.same(worktree))
                        .hidden(List.of("*.pem"))
                        .build(),
                "test");
    }

    @Test
    void pipesAndLinksExchangedForDirectoriesNeitherBlockSearchNorLeadItOut() throws Exception {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createFile(outside.resolve("outer.pem"));
        Files.createDirectory(worktree.resolve("deep"));
        Files.createFile(worktree.resolve("deep/inner.pem"));
        Files.createDirectory(worktree.resolve("other"));
        Files.createFile(worktree.resolve("other/inner.pem"));
        Files.createSymbolicLink(worktree.resolve("link"), outside);
        assertThat(new ProcessBuilder("mkfifo", worktree.resolve("pipe").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(this::exchange);

        int found = assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            int seen = 0;
            for (int call = 0; call < CALLS || seen == 0; call++) { // the exchanging thread may stand still
                List<String> files = find().files();
                assertThat(files).allMatch(file -> file.endsWith("/inner.pem"));
                seen += files.size();
            }
            return seen;
        });

        stop = true;
        assertThat(found).isPositive();
        assertThat(exchanges.join()).isPositive();
    }

    private int exchange() {
        try {
            Kernel kernel = Kernel.create();
            int at = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(worktree));
            int exchanges = 0;
            while (!stop) {
                kernel.exchange(at, "deep", "pipe");
                kernel.exchange(at, "other", "link");
                exchanges++;
            }
            kernel.close(at);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    @Test
    void treeThatIsDeeperThanSearchIsRefused() throws Exception {
        Files.createDirectories(worktree.resolve("d/".repeat(256)));
        assertThat(find()).isEqualTo(HiddenPaths.NONE);
        Files.createDirectories(worktree.resolve("d/".repeat(257)));

        assertThatThrownBy(this::find)
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("more than 256 directories deep");
    }
}
