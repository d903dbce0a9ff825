package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditRecord;

/**
 * A record and its position in the chain.
 *
 * @param seq its number, from 1, without gaps
 * @param line its line of JSON, as it is stored; after tampering it may be anything
 * @param previous the hash of the record before it, 64 hexadecimal digits
 * @param mac its keyed MAC, 64 hexadecimal digits
 * @since 0.1
 */
public record AuditEntry(long seq, String line, String previous, String mac) {

    /**
     * Reads the record from its line.
     *
     * @return the record
     * @throws dev.paddock.harness.audit.AuditException if the line is not a record
     */
    public AuditRecord record() {
        return AuditRecord.parse(line);
    }

    /**
     * Returns the record in the export format.
     *
     * @return an object of JSON in one line: {@code seq}, {@code previous}, {@code mac} and {@code
     *     record}, in which the record's line stands byte for byte; or {@code text} for a line that is
     *     no JSON, as only tampering leaves one
     */
    public String toJson() {
        return StoreReader.json(this);
    }
}
