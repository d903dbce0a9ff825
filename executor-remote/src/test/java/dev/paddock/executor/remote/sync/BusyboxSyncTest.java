package dev.paddock.executor.remote.sync;

import org.junit.jupiter.api.Tag;

/** Synchronizes with a far side that has busybox's programs alone. */
@Tag("full")
class BusyboxSyncTest extends WorktreeSyncCases {
    BusyboxSyncTest() {
        super(FarPrograms.BUSYBOX);
    }
}
