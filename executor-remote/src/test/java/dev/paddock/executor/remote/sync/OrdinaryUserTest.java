package dev.paddock.executor.remote.sync;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs again what root is allowed in any case: a closed file is closed to its owner, too. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void worktreesAreSynchronized() throws Exception {
        OrdinaryUser.runs(5, WorktreeSyncTest.class);
    }
}
