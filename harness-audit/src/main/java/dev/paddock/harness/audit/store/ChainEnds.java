package dev.paddock.harness.audit.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The positions of the chain's ends in the database, and their MACs. */
record ChainEnds(AuditHead head, String headMac, AuditHead anchor, String anchorMac, String keyId) {

    /** Reads the ends; empty if they were removed. */
    static Optional<ChainEnds> read(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT head_seq, head_hash, head_mac, anchor_seq,"
                        + " anchor_hash, anchor_mac, key_id FROM chain WHERE id = 1");
                ResultSet row = select.executeQuery()) {
            return row.next()
                    ? Optional.of(new ChainEnds(
                            new AuditHead(row.getLong(1), row.getString(2)),
                            row.getString(3),
                            new AuditHead(row.getLong(4), row.getString(5)),
                            row.getString(6),
                            String.valueOf(row.getString(7))))
                    : Optional.empty();
        }
    }

    boolean hasHead(Chain chain) {
        return chain.isSigned(Chain.Purpose.HEAD, head, headMac);
    }

    boolean hasAnchor(Chain chain) {
        return chain.isSigned(Chain.Purpose.ANCHOR, anchor, anchorMac);
    }

    static void writeKey(Connection connection, AuditKey key) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE chain SET key_id = ?")) {
            update.setString(1, key.id());
            update.executeUpdate();
        }
    }

    static void writeHead(Connection connection, Chain chain, AuditHead head) throws SQLException {
        write(
                connection,
                "UPDATE chain SET head_seq = ?, head_hash = ?, head_mac = ?",
                head,
                chain.sign(Chain.Purpose.HEAD, head));
    }

    static void writeAnchor(Connection connection, Chain chain, AuditHead anchor) throws SQLException {
        write(
                connection,
                "UPDATE chain SET anchor_seq = ?, anchor_hash = ?, anchor_mac = ?",
                anchor,
                chain.sign(Chain.Purpose.ANCHOR, anchor));
    }

    private static void write(Connection connection, String sql, AuditHead position, String mac) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            update.setLong(1, position.seq());
            update.setString(2, position.hash());
            update.setString(3, mac);
            update.executeUpdate();
        }
    }
}
