package dev.paddock.harness.audit.store;

import java.nio.file.Path;
import java.util.Optional;

/** Finds a store's key: the given one, or that of the key file. */
final class AuditKeys {
    private final Path file;
    private final Optional<AuditKey> given;

    AuditKeys(Path file, Optional<AuditKey> given) {
        this.file = file;
        this.given = given;
    }

    /** Returns the key of a new store. */
    AuditKey create() {
        return given.orElseGet(() -> AuditKey.readOrCreate(file));
    }

    /** Returns the key of a store that has one: it is never made anew. */
    AuditKey existing() {
        return given.orElseGet(() -> AuditKey.read(file));
    }
}
