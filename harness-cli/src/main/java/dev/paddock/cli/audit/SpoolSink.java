package dev.paddock.cli.audit;

import dev.paddock.cli.terminal.Console;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditSink;
import dev.paddock.harness.audit.store.AuditSpool;
import dev.paddock.harness.audit.store.AuditStore;

/** Writes records to the spool, and moves them to the store when there are many. */
final class SpoolSink implements AuditSink {
    /** The number of records at which a run moves them, in some 0.3 s. */
    static final int BATCH = 256;

    private final AuditLocation location;
    private final AuditSpool spool;
    private final Console console;
    private int sinceImport;

    SpoolSink(AuditLocation location, Console console) {
        this.location = location;
        this.spool = location.spool();
        this.console = console;
    }

    @Override
    public synchronized void append(AuditRecord record) {
        spool.append(record);
        sinceImport++;
        if (sinceImport >= BATCH) {
            sinceImport = 0;
            move();
        }
    }

    /** Moves the records if there are many, including those of other runs. */
    synchronized void close() {
        if (spool.waiting() >= BATCH) {
            move();
        }
    }

    private void move() {
        try (AuditStore store = location.open(true)) {
            SpoolMove.run(store);
        } catch (AuditException fault) {
            // If the store is locked, the next run moves them.
            if (fault.kind() != AuditException.Kind.LOCKED) {
                console.complain(spool.waiting() + " audit records wait in the spool: " + Console.text(fault));
            }
        }
    }
}
