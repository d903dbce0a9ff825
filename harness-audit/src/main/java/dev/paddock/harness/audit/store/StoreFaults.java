package dev.paddock.harness.audit.store;

import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.sql.SQLException;

/** Explains a fault of the database or the file system, and its remedy. */
final class StoreFaults {
    private StoreFaults() {}

    static AuditException of(SQLException fault, Path file) {
        Kind kind = kind(fault);
        return new AuditException(kind, "the audit store '" + file + "' " + problem(kind, fault), fault);
    }

    /** Maps SQLite's primary result codes. */
    private static Kind kind(SQLException fault) {
        return switch (fault.getErrorCode() & 0xff) {
            case 5, 6 -> Kind.LOCKED;
            case 8 -> Kind.READ_ONLY;
            case 11 -> Kind.TAMPERED;
            case 13 -> Kind.DISK_FULL;
            case 26 -> Kind.NOT_A_STORE;
            default -> Kind.UNAVAILABLE;
        };
    }

    private static String problem(Kind kind, SQLException fault) {
        return switch (kind) {
            case LOCKED -> "is locked by another process; wait for that process, or end it";
            case READ_ONLY -> "cannot be written to; make it and its directory writable";
            case TAMPERED -> "is damaged: " + fault.getMessage() + "; restore it from a copy, or move it away";
            case DISK_FULL -> "cannot grow, since the disk is full; free some space";
            case NOT_A_STORE -> "is no database; move it away, or choose another directory";
            default -> "failed: " + fault.getMessage();
        };
    }

    static AuditException of(IOException fault, Path file) {
        boolean readOnly = fault instanceof AccessDeniedException || isOf(fault, "Read-only file system");
        Kind kind =
                readOnly ? Kind.READ_ONLY : isOf(fault, "No space left on device") ? Kind.DISK_FULL : Kind.UNAVAILABLE;
        String problem = switch (kind) {
            case READ_ONLY -> "cannot be used with its permissions; make it and its directory writable";
            case DISK_FULL -> "cannot grow, since the disk is full; free some space";
            default -> "cannot be used: " + reason(fault) + "; choose another directory, or remove what is in the way";
        };
        return new AuditException(kind, "the audit store's file '" + file + "' " + problem, fault);
    }

    static AuditException of(ReadOnlyFileSystemException fault, Path file) {
        return new AuditException(
                Kind.READ_ONLY, "the audit store's file '" + file + "' is on a read-only file system", fault);
    }

    /** Returns the reason without the file, which the message already names. */
    private static String reason(IOException fault) {
        return switch (fault) {
            case FileAlreadyExistsException taken -> "'" + taken.getFile() + "' is no directory";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> FileFaults.reason(fault);
        };
    }

    private static boolean isOf(IOException fault, String reason) {
        return String.valueOf(fault.getMessage()).contains(reason);
    }
}
