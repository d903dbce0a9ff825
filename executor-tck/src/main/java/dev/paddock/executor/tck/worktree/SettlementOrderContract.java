package dev.paddock.executor.tck.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an executor ends a command's processes before it examines the worktree, and examines it
 * before it reports the end: a background process constantly plants programs until it dies.
 *
 * @since 0.1
 */
public abstract class SettlementOrderContract {
    private static final List<String> PLANTED = List.of(".envrc", ".mcp.json", ".git/hooks/pre-commit", ".vscode");

    /** Plants in another session, ignoring SIGTERM; the command itself waits. */
    private static final String PLANTS_ALL_THE_TIME = """
            cat > .plant <<'EOF'
            trap '' TERM
            while :; do
                for f in .envrc .mcp.json .git/hooks/pre-commit; do echo planted > $f; done
                [ -d .vscode ] || mkdir .vscode
                echo planted > .vscode/tasks.json
            done 2> /dev/null
            EOF
            setsid sh .plant > /dev/null 2>&1 &
            while ! [ -e .vscode/tasks.json ]; do :; done
            echo up
            """;

    @TempDir
    private Path temporary = Path.of("/");

    private Path directory = temporary;

    /** Called by the implementer's class. */
    protected SettlementOrderContract() {}

    /**
     * Creates an executor; the suite closes it.
     *
     * @param policy its policy
     * @param quarantine its quarantine
     * @return the executor
     * @throws Exception if it cannot be created
     */
    protected abstract CommandExecutor create(SandboxPolicy policy, Path quarantine) throws Exception;

    @BeforeEach
    final void findDirectory() throws IOException {
        directory = temporary.toRealPath();
    }

    /** Returns the directory of the test, which contains the worktree. */
    final Path directory() {
        return directory;
    }

    @Test
    final void disposalLeavesNothingOfProcessThatPlantsUntilItDies() throws Exception {
        Path worktree = worktree();
        try (CommandExecutor executor = executor(worktree)) {
            ProcessLike unused = spawnPlanting(executor, worktree, "sleep 600", new AbortController());
        }
        assertNothingPlanted(worktree, "after disposal");
    }

    @Test
    final void abortLeavesNothingOfProcessThatPlantsUntilItDies() throws Exception {
        Path worktree = worktree();
        try (CommandExecutor executor = executor(worktree)) {
            AbortController abort = new AbortController();
            ProcessLike process = spawnPlanting(executor, worktree, "sleep 600", abort);
            abort.abort("by the test");
            awaitClosed(process);
            assertNothingPlanted(worktree, "after an abort");
        }
    }

    @Test
    final void killLeavesNothingOfProcessThatPlantsUntilItDies() throws Exception {
        Path worktree = worktree();
        try (CommandExecutor executor = executor(worktree)) {
            ProcessLike process = spawnPlanting(executor, worktree, "sleep 600", new AbortController());
            process.kill(Signal.KILL);
            awaitClosed(process);
            assertNothingPlanted(worktree, "after a kill");
        }
    }

    @Test
    final void exitLeavesNothingOfProcessThatPlantsUntilItDies() throws Exception {
        Path worktree = worktree();
        try (CommandExecutor executor = executor(worktree)) {
            awaitClosed(spawnPlanting(executor, worktree, "exit 0", new AbortController()));
            assertNothingPlanted(worktree, "after the exit of the main process");
        }
    }

    private Path worktree() throws Exception {
        Path worktree = directory.resolve("tree");
        Canary unused = Canary.in(directory, worktree);
        Files.delete(worktree.resolve(".envrc"));
        return worktree;
    }

    private CommandExecutor executor(Path worktree) throws Exception {
        return create(SandboxPolicy.builder(PathMapping.same(worktree)).build(), worktree.resolveSibling("quarantine"));
    }

    /** Starts a command with a background process, and returns when that plants. */
    private static ProcessLike spawnPlanting(
            CommandExecutor executor, Path worktree, String last, AbortController abort) throws IOException {
        ProcessLike process = executor.spawn(
                PLANTS_ALL_THE_TIME + last,
                SpawnOptions.builder(worktree.toString())
                        .signal(abort.signal())
                        .killGrace(Duration.ofMillis(200))
                        .build());
        BufferedReader output = new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).as("the background process plants").isEqualTo("up");
        return process;
    }

    private static void awaitClosed(ProcessLike process) throws Exception {
        assertThat(process.onClosed().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .as("the report")
                .isNotNull();
    }

    private static void assertNothingPlanted(Path worktree, String when) {
        assertThat(planted(worktree)).as("planted %s", when).isEmpty();
        Awaitility.await("nothing is planted later")
                .atMost(Duration.ofSeconds(30))
                .during(Duration.ofMillis(100))
                .until(() -> planted(worktree).isEmpty());
    }

    /** Returns the files that the background process plants and that are there. */
    static List<String> planted(Path worktree) {
        return PLANTED.stream()
                .filter(name -> Files.exists(worktree.resolve(name), LinkOption.NOFOLLOW_LINKS))
                .toList();
    }
}
