package dev.paddock.executor.worktree;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.executor.worktree.git.UnreadableRepositoriesTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs tests again as a user to whom the modes of files apply. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void modesOfFilesApply() throws Exception {
        OrdinaryUser.runs(
                5,
                ClosedDirectoriesTest.class,
                UnreadableRepositoriesTest.class,
                JournalTest.class,
                WorktreeGuardTest.class);
    }
}
