package dev.paddock.executor.remote.sync;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Synchronizes with a far side that has busybox's programs alone. */
@Tag("full")
@ParameterizedClass
@EnumSource(names = {"BUSYBOX", "BUSYBOX_IN_FRAMES"})
class BusyboxSyncTest extends WorktreeSyncCases {
    BusyboxSyncTest(FarPrograms programs) {
        super(programs, 12);
    }
}
