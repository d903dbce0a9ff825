package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/**
 * The key of a store's MACs: 32 bytes. A key file has 64 hexadecimal digits and a line end, and only
 * its owner may read it.
 *
 * @since 0.1
 */
public final class AuditKey {
    private static final int BYTES = 32;

    /** A longer file is no key, and is not read to its end. */
    private static final int MAX_FILE_BYTES = 1 << 10;

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");

    private final byte[] bytes;

    private AuditKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the key with these digits. Store them where commands cannot read them.
     *
     * @param hex 64 hexadecimal digits
     * @return the key
     * @throws AuditException with {@link Kind#KEY_INVALID} for anything else
     */
    public static AuditKey ofHex(String hex) {
        return parse(hex, "the given audit key");
    }

    /**
     * Reads a key file. Never creates one.
     *
     * @param file the file
     * @return the key
     * @throws AuditException with {@link Kind#KEY_MISSING}, {@link Kind#KEY_INVALID} or {@link
     *     Kind#UNAVAILABLE}
     */
    public static AuditKey read(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!PRIVATE.containsAll(permissions)) {
                throw new AuditException(
                        Kind.KEY_INVALID,
                        "the audit key '" + file + "' has the permissions "
                                + PosixFilePermissions.toString(permissions)
                                + ", so that others may have read it; if they have not, run chmod 600 on it");
            }
            return parse(content(file).strip(), "the audit key '" + file + "'");
        } catch (NoSuchFileException missing) {
            throw new AuditException(
                    Kind.KEY_MISSING,
                    "the audit key '" + file + "' is missing; restore it, or move the store away to begin a new one",
                    missing);
        } catch (IOException fault) {
            throw StoreFaults.of(fault, file);
        }
    }

    private static String content(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(MAX_FILE_BYTES), StandardCharsets.US_ASCII);
        }
    }

    /** Reads a key file; creates it atomically if it does not exist. */
    static AuditKey readOrCreate(Path file) {
        if (!Files.exists(file)) {
            create(file);
        }
        return read(file);
    }

    private static void create(Path file) {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        try {
            Path directory = file.toAbsolutePath().getParent();
            Path whole =
                    Files.createTempFile(directory, ".audit", ".key", PosixFilePermissions.asFileAttribute(PRIVATE));
            try {
                Durable.write(whole, HexFormat.of().formatHex(bytes) + "\n");
                Files.createLink(file, whole);
            } catch (FileAlreadyExistsException another) {
                // Another process created a key concurrently; use that one.
            } finally {
                Files.delete(whole);
            }
        } catch (IOException fault) {
            throw StoreFaults.of(fault, file);
        }
    }

    private static AuditKey parse(String hex, String name) {
        if (!hex.matches("[0-9a-fA-F]{64}")) {
            throw new AuditException(
                    Kind.KEY_INVALID,
                    name + " is not 64 hexadecimal digits; restore it, or move the store away to begin a new one");
        }
        return new AuditKey(HexFormat.of().parseHex(hex));
    }

    /** Returns an id of the key that does not reveal it. */
    String id() {
        return Chain.sha256("paddock-audit-key\n" + HexFormat.of().formatHex(bytes))
                .substring(0, 16);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public String toString() {
        return "AuditKey[" + id() + "]";
    }
}
