package dev.paddock.executor.process.file;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs again what root is allowed in any case: closed directories are closed to their owner. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void closedDirectoriesAreRemoved() throws Exception {
        OrdinaryUser.runs(3, TreeRemovalTest.class);
    }
}
