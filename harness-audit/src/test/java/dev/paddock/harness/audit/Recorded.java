package dev.paddock.harness.audit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** Keeps records, and refuses those that the test chooses. */
final class Recorded implements AuditSink {
    final List<AuditRecord> records = new CopyOnWriteArrayList<>();
    volatile Predicate<AuditRecord> refused = record -> false;

    @Override
    public void append(AuditRecord record) {
        if (refused.test(record)) {
            throw new AuditException(AuditException.Kind.DISK_FULL, "the disk is full");
        }
        records.add(AuditRecord.parse(record.toJson()));
    }
}
