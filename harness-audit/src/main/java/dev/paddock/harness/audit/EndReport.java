package dev.paddock.harness.audit;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the record of a command's end, and reports if that fails. */
final class EndReport {
    private static final Logger LOG = LoggerFactory.getLogger(AuditedExecutor.class);

    private EndReport() {}

    /** Returns the notice for the reader of the command's result if the record was not written. */
    static Optional<String> write(AuditSink sink, AuditRecord record) {
        try {
            sink.append(record);
            return Optional.empty();
        } catch (RuntimeException fault) {
            LOG.error("the audit record of a command's end could not be written: {}", record, fault);
            return Optional.of(
                    "The audit record of this command's end could not be written: " + fault.getMessage() + ".");
        }
    }
}
