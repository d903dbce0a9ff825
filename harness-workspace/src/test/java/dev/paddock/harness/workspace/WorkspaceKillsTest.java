package dev.paddock.harness.workspace;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills programs in the middle of whatever they do with workspaces. */
@Tag("full")
class WorkspaceKillsTest {
    private static final int LONGEST_MICROS = 1_500_000;

    @TempDir
    Path temporary;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        KillSeries.createSeed(temporary);
    }

    @Test
    void afterAKillEachWorkspaceIsWholeOrGone() throws Exception {
        new KillSeries(Kinds.LOCAL_SANDBOX, temporary, "workspaces").kill(5, LONGEST_MICROS);
    }

    /**
     * Two hundred kills, in parts that each have the whole time of a test: two series side by side, each
     * in a root of its own, since a kill is mostly a wait.
     */
    @RepeatedTest(4)
    void afterManyKillsEachWorkspaceIsWholeOrGone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> series : threads.invokeAll(
                    IntStream.range(0, 2).mapToObj(this::series).toList())) {
                series.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Void> series(int number) {
        return () -> {
            new KillSeries(Kinds.LOCAL_SANDBOX, temporary, "workspaces" + number).kill(25, LONGEST_MICROS);
            return null;
        };
    }
}
