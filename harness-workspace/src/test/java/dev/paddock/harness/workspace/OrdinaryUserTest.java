package dev.paddock.harness.workspace;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs again, as a user whom modes bind, what depends on them. */
@Tag("full")
class OrdinaryUserTest {

    @Test
    void closedFiles() throws Exception {
        OrdinaryUser.runs(5, ClosedFilesTest.class);
    }
}
