package dev.paddock.harness.audit;

/**
 * Receives audit records. Called by several threads at once.
 *
 * <p>A sink never throws and never blocks its caller: a command must not fail or block on
 * its audit record. A sink that cannot store a record counts and reports it in its own way.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface AuditSink {

    /**
     * Accepts a record. The sink itself reports a record that it could not store.
     *
     * @param record the record
     */
    void append(AuditRecord record);
}
