package dev.paddock.harness.audit;

/**
 * Receives audit records. Called by several threads at once.
 *
 * <p>A sink never throws and never makes its caller wait: a command must not fail or stand because
 * of its record. A sink that cannot keep a record counts it and reports it in its own way.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface AuditSink {

    /**
     * Accepts a record. Whether it has been kept is the sink's to say.
     *
     * @param record the record
     */
    void append(AuditRecord record);
}
