package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.os.file.Fault;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settles commands while a live one exchanges a protected path for a pipe, or for a link that leads out. */
@Tag("full")
class ExchangedPathsTest extends GuardedWorktree {
    private static final int ROUNDS = 60;
    private static final int KILLED_ROUNDS = 15;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private volatile boolean stop;

    @ParameterizedTest
    @CsvSource({
        ".git/HEAD, pipe",
        ".git/config, pipe",
        ".git/hooks, pipe",
        ".git, pipe",
        ".bashrc, pipe",
        ".git/config, link",
        ".git/hooks, link",
        ".git, link",
        ".vscode, link",
        "sub, link"
    })
    void settlementNeitherWaitsNorLeavesWorktree(String path, String other) throws Exception {
        exchanging(path, other, () -> {}, ROUNDS, this::settleOne);
    }

    /** What gc and the next session do in a worktree whose last session was killed. */
    @ParameterizedTest
    @CsvSource({".git/config, pipe", ".git/hooks, pipe", ".git/hooks, link", ".vscode, link"})
    void settlementOfKilledSessionNeitherWaitsNorLeavesWorktree(String path, String other) throws Exception {
        exchanging(
                path,
                other,
                () -> abandon(worktree, "echo '[core] editor = x' >>.git/config; echo x >.git/hooks/new"),
                KILLED_ROUNDS,
                () -> {
                    guard.close();
                    guard = guarding(worktree);
                    settleOne();
                });
    }

    /** A step of a test. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private void exchanging(String path, String other, Step before, int rounds, Step step) throws Exception {
        assumeTrue(Kernel.isAvailable(), "nothing can be exchanged here");
        shell(
                directory,
                "mkfifo pipe && mkdir outside && cd outside && git init -q -b main . && echo precious >file"
                        + " && echo precious >tasks.json && printf precious >.git/hooks/pre-commit");
        shell(worktree, "mkdir .vscode sub && echo {} >.vscode/tasks.json && echo x >.bashrc && git init -q sub/in");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("outside"));
        refresh();
        before.run();
        String outside = listing();
        CompletableFuture<Integer> exchanges = CompletableFuture.supplyAsync(() -> exchange(path, other));

        try {
            assertTimeoutPreemptively(PATIENCE, () -> {
                for (int round = 0; round < rounds; round++) {
                    step.run();
                }
            });
        } finally {
            stop = true;
        }
        assertThat(exchanges.join()).isPositive();
        assertThat(listing()).as("what is outside").isEqualTo(outside);
    }

    /** While a path is created again each time that it is removed, no command is started. */
    private void settleOne() {
        try {
            guard.begin(ProtectionPlan.NONE).settle();
        } catch (SpawnException refused) {
            assertThat(refused).hasMessageContaining("no command is started");
        }
    }

    private String listing() throws Exception {
        Path list = directory.resolve("list");
        shell(
                directory,
                "find outside -printf '%p %m %s %T@ %C@ %i %l\\n' | grep -v '^outside/.git/index ' | sort >list");
        return Files.readString(list);
    }

    /** Exchanges the path for a new name of the pipe, or for a copy of the link, which settlement may move away. */
    private int exchange(String path, String other) {
        try {
            Kernel kernel = Kernel.create();
            int outer = kernel.openDirectory(Kernel.NO_DIRECTORY, PathBytes.of(directory));
            int at = kernel.openDirectory(outer, PathBytes.of(worktree.getFileName()));
            int exchanges = 0;
            do {
                make(kernel, outer, at, other);
                exchanges += isExchanged(kernel, at, path) ? 1 : 0;
            } while (!stop);
            kernel.close(at);
            kernel.close(outer);
            return exchanges;
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private static void make(Kernel kernel, int outer, int at, String other) {
        try {
            kernel.makeHardLink(outer, other, at, "spare");
        } catch (Fault there) {
            return;
        }
    }

    private static boolean isExchanged(Kernel kernel, int at, String path) {
        try {
            kernel.exchange(at, "spare", path);
            return true;
        } catch (Fault moved) {
            return false;
        }
    }
}
