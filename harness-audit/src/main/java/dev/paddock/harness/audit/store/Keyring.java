package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.nio.file.Path;

/** The key of an open store, which another process may rotate at any time. */
final class Keyring {
    private final AuditKeys keys;
    private final Path database;
    private AuditKey key;

    Keyring(AuditKeys keys, Path database) {
        this.keys = keys;
        this.database = database;
        this.key = keys.existing();
    }

    /**
     * Returns the current key of a store's chain.
     *
     * @param id the id of the key, as the store has it
     * @throws AuditException with {@link Kind#KEY_WRONG} if the key differs
     */
    synchronized AuditKey key(String id) {
        if (!key.id().equals(id)) {
            key = keys.withId(id);
        }
        requireId(key, id, database);
        return key;
    }

    /** Adopts the key of a completed rotation. */
    synchronized void replace(AuditKey next) {
        key = next;
    }

    static void requireId(AuditKey key, String id, Path database) {
        if (!key.id().equals(id)) {
            throw new AuditException(
                    Kind.KEY_WRONG,
                    "the audit store '" + database + "' has the key " + id + ", and this is the key " + key.id()
                            + "; restore the first, or move the store away to begin a new one");
        }
    }
}
