package dev.paddock.harness.files;

import dev.paddock.harness.files.pattern.PatternException;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Reports a file access that was refused or that the file system could not perform. The message
 * names the path and the reason, and is addressed to the caller that chose the path; it contains no
 * host path that the caller did not supply.
 */
public final class FileException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String path;

    /**
     * Creates an exception.
     *
     * @param path the offending path, as the caller gave it
     * @param message what happened, with the path, and the remedy
     */
    public FileException(String path, String message) {
        super(message);
        this.path = path;
    }

    private FileException(String path, String message, Exception cause) {
        super(message, cause);
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
        return new FileException(path, describe(path, failure), failure);
    }

    /** Translates the failure of a pattern on a line of a file. */
    static FileException at(String path, long line, PatternException failure) {
        return new FileException(path, path + ":" + line + ": " + failure.getMessage(), failure);
    }

    private static String describe(String path, IOException failure) {
        return switch (failure) {
            case NoSuchFileException e ->
                "no such file or directory: " + path + ". It went away during the call; try again";
            case AccessDeniedException e -> "permission denied: " + path;
            case NotDirectoryException e -> "not a directory: " + path + ". It changed during the call; try again";
            case FileAlreadyExistsException e -> "already exists: " + path + ". It appeared during the call; try again";
            case FileSystemException e
            when e.getReason() != null && e.getReason().contains("symbolic link") ->
                path + " turned into a symbolic link during the call, which is not followed; try again";
            case FileSystemException e when e.getReason() != null -> path + ": " + e.getReason();
            default -> path + ": " + failure.getMessage();
        };
    }

    /**
     * Returns the offending path.
     *
     * @return the path as the caller gave it
     */
    public String path() {
        return path;
    }
}
