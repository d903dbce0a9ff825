package dev.paddock.cli.audit;

import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.store.AuditKey;
import dev.paddock.harness.audit.store.AuditSpool;
import dev.paddock.harness.audit.store.AuditStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the caller's audit store is, and which key it has.
 *
 * @param directory the store's directory, absolute; need not exist
 * @param key the key in place of the store's key file
 * @param newKey the key that replaces it in a rotation
 */
record AuditLocation(Path directory, Optional<AuditKey> key, Optional<AuditKey> newKey) {
    /** The variables with the keys, in hexadecimal digits. */
    private static final String KEY = "PADDOCK_AUDIT_KEY";

    private static final String NEW_KEY = "PADDOCK_AUDIT_NEW_KEY";

    /** The property of the directory to which the database's driver unpacks its library. */
    private static final String LIBRARIES = "org.sqlite.tmpdir";

    /** Short enough for a person to wait. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /**
     * Returns the caller's store: {@code $XDG_STATE_HOME/paddock/audit}, which is below {@code
     * ~/.local/state} if that variable is not set.
     *
     * @throws AuditException if the caller has no home directory, or the key's variable contains no
     *     key
     */
    static AuditLocation of(InvocationContext caller) {
        Path state = Path.of(caller.variable("XDG_STATE_HOME").orElse(""));
        Path home = Path.of(caller.variable("HOME").orElse(System.getProperty("user.home", "")));
        Path base = state.isAbsolute() ? state : home.resolve(".local").resolve("state");
        if (!base.isAbsolute()) {
            throw new AuditException(
                    AuditException.Kind.MISSING,
                    "audit records cannot be stored, since you have no home directory; set XDG_STATE_HOME");
        }
        return at(base.resolve("paddock").resolve("audit"), caller);
    }

    /** Returns a store with the caller's key. */
    static AuditLocation at(Path directory, InvocationContext caller) {
        return new AuditLocation(directory, key(caller, KEY), key(caller, NEW_KEY));
    }

    private static Optional<AuditKey> key(InvocationContext caller, String variable) {
        try {
            return caller.variable(variable).map(AuditKey::ofHex);
        } catch (AuditException invalid) {
            throw new AuditException(invalid.kind(), variable + " is not 64 hexadecimal digits; correct or unset it");
        }
    }

    AuditSpool spool() {
        return AuditSpool.of(directory);
    }

    /** Returns whether there are records, in the store or in its spool. */
    boolean exists() {
        return Files.exists(directory.resolve("audit.db")) || spool().waiting() > 0;
    }

    /**
     * Opens the store.
     *
     * @param create whether it is created if it does not exist
     * @throws AuditException if it cannot be opened
     */
    AuditStore open(boolean create) {
        if (System.getProperty(LIBRARIES) == null) {
            // There, other users cannot replace the library, and a later opening removes the copy of a killed process.
            System.setProperty(LIBRARIES, directory.toString());
        }
        AuditStore.Builder builder =
                AuditStore.builder(directory).create(create).busyTimeout(PATIENCE);
        key.ifPresent(builder::key);
        return builder.open();
    }
}
