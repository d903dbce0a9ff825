package dev.paddock.harness.files.access;

import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/**
 * Reports a file access that was refused or that the file system could not perform. The message names what happened,
 * the path, and the remedy, and is addressed to the caller that chose the path; it contains no host path that the
 * caller did not supply. The cause, if any, is the file system's own failure, which may contain host paths.
 *
 * @since 0.1
 */
public final class FileException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final String path;

    /** Says why an access was refused or failed. */
    public enum Reason {
        /** The path is malformed: empty, too long, with a NUL character, or no path on this system. */
        INVALID_PATH,
        /** The path leads out of the root that it starts in, by {@code ..} or by a symbolic link. */
        OUTSIDE,
        /** The path is absolute and in no root. */
        NO_ROOT,
        /** Nothing has this path. */
        NOT_FOUND,
        /** A directory is expected, or a parent is not one. */
        NOT_A_DIRECTORY,
        /** A file is expected, and the path leads to a directory, a pipe, a socket or a device. */
        NOT_A_FILE,
        /** The path exists already. */
        ALREADY_EXISTS,
        /** The directory has entries, or one that may not be removed. */
        NOT_EMPTY,
        /** A rule denies the content to the caller. */
        NOT_READABLE,
        /** The root, the file's mode or its mount permits no change. */
        NOT_WRITABLE,
        /** The path is protected, or part of a git repository's own data. */
        PROTECTED,
        /** The operating system denies the access to this program. */
        PERMISSION_DENIED,
        /** The content is larger than permitted. */
        TOO_LARGE,
        /** Something else changed the path during the call. */
        CHANGED,
        /** The access has been closed. */
        CLOSED,
        /** The file system failed in another way. */
        FAILED
    }

    /**
     * Creates an exception.
     *
     * @param reason why the access was refused or failed
     * @param path the offending path, as the caller gave it
     * @param message what happened, with the path, and the remedy
     */
    public FileException(Reason reason, String path, String message) {
        super(message);
        this.reason = reason;
        this.path = path;
    }

    private FileException(Reason reason, String path, String message, Exception cause) {
        super(message, cause);
        this.reason = reason;
        this.path = path;
    }

    /**
     * Translates a failure of the file system, whose own message may contain host paths.
     *
     * @param path the path that the caller gave
     * @param failure the failure that the file system reported
     * @return an exception with the same reason, and the failure as its cause
     */
    public static FileException of(String path, IOException failure) {
        return switch (failure) {
            case NoSuchFileException e ->
                translated(
                        Reason.NOT_FOUND,
                        path,
                        "no such file or directory: " + path + ". It went away during the call; try again",
                        e);
            case AccessDeniedException e -> translated(Reason.PERMISSION_DENIED, path, "permission denied: " + path, e);
            case NotDirectoryException e ->
                translated(
                        Reason.NOT_A_DIRECTORY,
                        path,
                        "not a directory: " + path + ". It changed during the call; try again",
                        e);
            case FileAlreadyExistsException e ->
                translated(
                        Reason.ALREADY_EXISTS,
                        path,
                        "already exists: " + path + ". It appeared during the call; try again",
                        e);
            case DirectoryNotEmptyException e ->
                translated(Reason.NOT_EMPTY, path, path + " is a directory that is not empty", e);
            case FileSystemException e
            when e.getReason() != null && e.getReason().contains("symbolic link") ->
                translated(
                        Reason.CHANGED,
                        path,
                        path + " turned into a symbolic link during the call, which is not followed; try again",
                        e);
            case FileSystemException e ->
                translated(
                        Reason.FAILED,
                        path,
                        path + ": "
                                + Objects.requireNonNullElse(e.getReason(), "the file system refused the operation"),
                        e);
            default ->
                translated(
                        Reason.FAILED,
                        path,
                        path + ": "
                                + Objects.requireNonNullElse(
                                        failure.getMessage(), failure.getClass().getSimpleName()),
                        failure);
        };
    }

    private static FileException translated(Reason reason, String path, String message, IOException cause) {
        return new FileException(reason, path, message, cause);
    }

    /** {@return why the access was refused or failed} */
    public Reason reason() {
        return reason;
    }

    /** {@return the offending path as the caller gave it} */
    public String path() {
        return path;
    }
}
