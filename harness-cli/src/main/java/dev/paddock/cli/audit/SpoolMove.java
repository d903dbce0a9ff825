package dev.paddock.cli.audit;

import dev.paddock.harness.audit.store.AuditStore;
import java.time.Duration;

/** Moves spooled records into the chain, and prunes it after each thousand. */
final class SpoolMove {
    static final Duration OLDEST = Duration.ofDays(90);
    static final long MAX_RECORDS = 100_000;

    private static final long PRUNE_EVERY = 1_000;

    private SpoolMove() {}

    /**
     * Moves the records. After each thousand, removes those that are older than {@link #OLDEST}, and
     * all but the newest {@link #MAX_RECORDS}.
     *
     * @throws dev.paddock.harness.audit.AuditException if the store cannot be written to
     */
    static void run(AuditStore store) {
        int moved = store.importSpool();
        if (moved > 0) {
            long last = store.head().seq();
            if (last / PRUNE_EVERY != (last - moved) / PRUNE_EVERY) {
                store.pruneOlderThan(OLDEST);
                store.pruneToNewest(MAX_RECORDS);
            }
        }
    }
}
