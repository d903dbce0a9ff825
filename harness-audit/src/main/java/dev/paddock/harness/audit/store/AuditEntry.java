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
     * Parses the line.
     *
     * @return the record
     * @throws dev.paddock.harness.audit.AuditException if the line is not a record
     */
    public AuditRecord record() {
        return AuditRecord.parse(line);
    }

    /**
     * {@return the record in the export format: an object of JSON in one line, with {@code seq}, {@code previous},
     * {@code mac} and {@code record}, the record's line byte for byte; or {@code text} instead for a line that is no
     * JSON, which proves tampering}
     */
    public String toJson() {
        return StoreReader.json(this);
    }
}
