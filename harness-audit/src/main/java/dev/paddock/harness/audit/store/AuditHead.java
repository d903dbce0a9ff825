package dev.paddock.harness.audit.store;

/**
 * A position in the chain: the number of a record, and its hash. A head that is kept outside of the
 * store shows later that no record up to it has been cut or replaced.
 *
 * @param seq the record's number, from 1; 0 for the chain's begin
 * @param hash the record's hash, 64 hexadecimal digits; zeros for the chain's begin
 * @since 0.1
 */
public record AuditHead(long seq, String hash) {
    static final AuditHead BEGIN = new AuditHead(0, "0".repeat(64));
}
