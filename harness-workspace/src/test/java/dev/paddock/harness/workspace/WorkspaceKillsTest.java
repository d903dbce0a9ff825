package dev.paddock.harness.workspace;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills programs in the middle of whatever they do with workspaces. */
@Tag("full")
class WorkspaceKillsTest {
    private static final int KILLS = 6;
    private static final int MAX_MICROS = 1_500_000;

    @TempDir
    Path temporary;

    @BeforeEach
    void create() throws Exception {
        temporary = temporary.toRealPath();
        KillSeries.createSeed(temporary, 60);
    }

    /** A sanity check of {@link CrashPointsTest}. */
    @Test
    void afterRandomKillsEachWorkspaceIsWholeOrGone() throws Exception {
        new KillSeries(Kinds.LOCAL_SANDBOX, temporary, "workspaces").kill(KILLS, MAX_MICROS);
    }
}
