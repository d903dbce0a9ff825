package dev.paddock.harness.audit;

/**
 * Receives audit records. Called by several threads at once.
 *
 * <p>A record counts as written when {@link #append} returns. {@link AuditedExecutor} starts no
 * command whose record could not be written, so a sink must not swallow its faults.
 */
@FunctionalInterface
public interface AuditSink {

    /**
     * Writes a record.
     *
     * @param record the record
     * @throws AuditException if the record could not be written
     */
    void append(AuditRecord record);
}
