package dev.paddock.harness.audit.store;

/**
 * A position in the chain: a record's number and hash. A head stored outside of the
 * store later proves that no record up to it was removed or replaced.
 *
 * @param seq the record's number, from 1; 0 for the start of the chain
 * @param hash the record's hash, 64 hexadecimal digits; zeros for the start of the chain
 * @since 0.1
 */
public record AuditHead(long seq, String hash) {
    static final AuditHead BEGIN = new AuditHead(0, "0".repeat(64));
}
