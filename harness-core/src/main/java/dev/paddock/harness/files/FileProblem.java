package dev.paddock.harness.files;

import dev.paddock.harness.tool.ToolException;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** What went wrong with a file, in words for the model. */
final class FileProblem extends ToolException {
    @Serial
    private static final long serialVersionUID = 1L;

    FileProblem(String message) {
        super(message);
    }

    /** The words for a failure of the file system. Host paths in its message stay out of them. */
    static String describe(String path, IOException failure) {
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
}
