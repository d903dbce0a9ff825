package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the container's first process reaps orphans: none stays a zombie and counts against
 * the process limit.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrphanReapingTest {
    private static final String ZOMBIES = "grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null; :";

    @AutoClose
    private static DockerExecutor executor;

    @BeforeAll
    static void start(@TempDir Path worktree) throws Exception {
        TestEngine.withImage(TestEngine.BUSYBOX);
        executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(worktree.toRealPath())
                .build();
    }

    private static void awaitZombies(boolean some) {
        Awaitility.await(some ? "the zombie of a parent that does not reap is seen" : "no zombie is left")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(
                                Runs.of(executor, "/work", ZOMBIES).out().isEmpty())
                        .isEqualTo(!some));
    }

    @Test
    void zombieWhoseParentEndsIsReaped() throws Exception {
        ProcessLike parent = executor.spawn("sleep 0 & exec sleep 300", SpawnOptions.in("/work"));
        awaitZombies(true);
        parent.kill(Signal.KILL);
        awaitZombies(false);
    }

    @Test
    void orphansThatExitAreReapedWhileTheirCommandRuns() throws Exception {
        ProcessLike parent = executor.spawn(
                "for i in 1 2 3 4; do (sh -c 'echo $$ >'$i & setsid sh -c 'echo $$ >s'$i &); done; exec sleep 300",
                SpawnOptions.in("/work"));
        String left = "for f in 1 2 3 4 s1 s2 s3 s4; do [ -s $f ] && [ ! -e /proc/$(cat $f) ] || echo $f; done";
        Awaitility.await("every orphan has exited and is reaped")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(Runs.of(executor, "/work", left).out()).isEmpty());
        assertThat(parent.onExit().toCompletableFuture()).isNotDone();
        parent.kill(Signal.KILL);
    }

    @Test
    void orphansThatAreKilledAtEndOfTheirCommandAreReaped() throws Exception {
        for (int i = 0; i < 5; i++) {
            String leaving = "(sleep 300 & setsid sleep 300 &); echo left";
            assertThat(Runs.of(executor, "/work", leaving).out()).isEqualTo("left\n");
        }
        awaitZombies(false);
    }
}
