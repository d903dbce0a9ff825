package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Finds a store's key: the given one, or that of the key file. A rotation writes the new key next to the key file, then
 * changes the store, then replaces the key file; the next opening completes or rolls back an interrupted rotation,
 * depending on the store.
 */
final class AuditKeys {
    private final Path file;
    private final Path next;
    private final Optional<AuditKey> given;

    AuditKeys(Path file, Optional<AuditKey> given) {
        this.file = file;
        this.next = file.resolveSibling(file.getFileName() + ".next");
        this.given = given;
    }

    boolean isGiven() {
        return given.isPresent();
    }

    /** Returns the key of a new store. */
    AuditKey create() {
        return given.orElseGet(() -> AuditKey.readOrCreate(file));
    }

    /** Returns the key of an existing store; never creates one. */
    AuditKey existing() {
        return given.orElseGet(() -> AuditKey.read(file));
    }

    /** Returns the key with an id; the {@link #existing} one if there is none. */
    AuditKey withId(String id) {
        return rotated().filter(key -> key.id().equals(id)).orElseGet(this::existing);
    }

    /** Returns the new key of an incomplete rotation; the rotating process may complete it meanwhile. */
    private Optional<AuditKey> rotated() {
        if (given.isPresent() || !Files.exists(next)) {
            return Optional.empty();
        }
        try {
            return Optional.of(AuditKey.read(next));
        } catch (AuditException fault) {
            if (fault.kind() == Kind.KEY_MISSING) {
                return Optional.empty();
            }
            throw fault;
        }
    }

    /** Writes the new key of a rotation. Call it under the store's lock. */
    AuditKey createNext() throws IOException {
        Files.deleteIfExists(next);
        return AuditKey.readOrCreate(next);
    }

    /** Completes or rolls back a rotation, depending on the store's key id. Call it under the store's lock. */
    void settle(String id) throws IOException {
        if (given.isEmpty() && Files.exists(next)) {
            if (AuditKey.read(next).id().equals(id)) {
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.delete(next);
            }
        }
    }
}
