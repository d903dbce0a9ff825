package dev.paddock.executor.sandbox.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests commands whose processes outlive their close, since the kernel holds them. */
class SurvivorsTest extends SpawnerBench {
    /** No sandbox ends before the test ends it, so every limit runs out. */
    private static final Duration BRIEF = Duration.ofMillis(200);

    private final CompletableFuture<Boolean> end = new CompletableFuture<>();

    @BeforeEach
    void holdProcesses() {
        backend.end = end;
        within(new SandboxedSpawner.Bounds(Duration.ofSeconds(10), Duration.ofSeconds(1), BRIEF));
    }

    @AfterEach
    void close() {
        end.complete(true);
        guard.close();
    }

    private List<String> run(String command) throws Exception {
        return closed(spawn(command)).notices();
    }

    private void plant(String name) throws Exception {
        Files.writeString(worktree.resolve(name), "planted by a process that has not ended");
    }

    private void endSurvivors() {
        end.complete(true);
    }

    private void awaitUndone(String name) {
        Awaitility.await(name + " is undone")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Files.notExists(worktree.resolve(name)));
    }

    @Test
    void worktreeIsExaminedAtCloseAndAfterEachCommandAndAtEnd() throws Exception {
        assertThat(run("echo x > .envrc"))
                .anySatisfy(notice -> assertThat(notice).contains("survive SIGKILL", "process 12345"))
                .anySatisfy(notice -> assertThat(notice).contains(".envrc"));
        assertThat(worktree.resolve(".envrc")).doesNotExist();

        plant(".mcp.json");
        backend.end = CompletableFuture.completedStage(true);
        assertThat(run("true"))
                .anySatisfy(notice -> assertThat(notice).contains(".mcp.json"))
                .anySatisfy(notice -> assertThat(notice).contains("earlier command", "process 12345"));
        assertThat(worktree.resolve(".mcp.json")).doesNotExist();

        plant(".npmrc");
        endSurvivors();
        awaitUndone(".npmrc");
        List<String> reported = new ArrayList<>(); // a notice is given once
        Awaitility.await("the next report").atMost(Duration.ofSeconds(30)).until(() -> {
            reported.addAll(run("true"));
            return reported.stream().anyMatch(notice -> notice.contains(".npmrc"));
        });
        assertThat(run("true")).isEmpty();

        Files.writeString(worktree.resolve(".envrc"), "the user's");
        assertThat(run("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("the user's");
        spawner.close();
    }

    @Test
    void disposalNamesSurvivorsAndWorktreeIsSettledWhenTheyHaveEnded() throws Exception {
        within(new SandboxedSpawner.Bounds(BRIEF, BRIEF, BRIEF));
        run("true");
        assertThatThrownBy(spawner::close)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContainingAll("process 12345", "not settled");
        guard.close();
        plant(".envrc");
        endSurvivors();
        awaitUndone(".envrc");
    }

    @Test
    void disposalHasReportThatNoResultContains() throws Exception {
        run("true");
        plant(".envrc");
        CompletableFuture<Boolean> ended =
                end.completeOnTimeout(true, 200, TimeUnit.MILLISECONDS); // while disposal waits
        assertThatThrownBy(spawner::close)
                .isInstanceOf(ExecutorException.class)
                .hasMessageContainingAll("no command's result", ".envrc");
        assertThat(ended).isDone();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }

    @Test
    void disposalWaitsForProcessesOfLostSandbox() throws Exception {
        ProcessLike process = spawn("exec sleep 600");
        backend.loss.completeExceptionally(new SandboxLostException("test", "the network has ended"));
        Awaitility.await("the loss")
                .atMost(Duration.ofSeconds(30))
                .until(() -> process.onClosed().toCompletableFuture().isCompletedExceptionally());
        plant(".envrc");
        CompletableFuture<Boolean> ended = end.completeOnTimeout(true, 200, TimeUnit.MILLISECONDS);
        spawner.close();
        assertThat(ended).isDone();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }
}
