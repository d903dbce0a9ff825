package dev.paddock.executor.remote.sync;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs again what root is allowed in any case: a closed file is closed to its owner, too. */
@Tag("full")
class OrdinaryUserTest {

    /** Nested, and so not run by itself. */
    static class Permissions extends PermissionSyncCases {
        Permissions() {
            super(FarPrograms.GNU);
        }
    }

    @Test
    void closedFilesAreSynchronized() throws Exception {
        OrdinaryUser.runs(5, Permissions.class);
    }
}
