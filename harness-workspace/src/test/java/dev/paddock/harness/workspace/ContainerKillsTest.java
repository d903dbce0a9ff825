package dev.paddock.harness.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills programs in the middle of whatever they do with workspaces whose commands run in containers. */
@Tag("full")
class ContainerKillsTest {
    private static final int MAX_MICROS = 4_500_000;

    @TempDir
    Path temporary;

    @Test
    void afterKillsEachWorkspaceInContainerIsWholeOrGone() throws Exception {
        temporary = temporary.toRealPath();
        KillSeries.createSeed(temporary, 60);
        new KillSeries(Kinds.DOCKER, temporary, "workspaces").kill(3, MAX_MICROS);
        BackendUpkeep docker = (BackendUpkeep) ExecutorProviders.named("docker");
        docker.sweep(SweepMode.REMOVE);
        assertThat(docker.sweep(SweepMode.REMOVE)).as("what a sweep has left").isEmpty();
    }
}
