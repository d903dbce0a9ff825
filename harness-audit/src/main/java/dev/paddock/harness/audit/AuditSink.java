package dev.paddock.harness.audit;

/**
 * Receives audit records, from several threads concurrently.
 *
 * <p>A sink never throws and never blocks: a command must not fail or block on its audit record. A sink that cannot
 * store a record counts and reports it in its own way.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface AuditSink {

    /**
     * Accepts a record.
     *
     * @param record the record
     */
    void append(AuditRecord record);
}
