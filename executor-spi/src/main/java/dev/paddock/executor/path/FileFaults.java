package dev.paddock.executor.path;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.util.Optional;

/** Says why a file could not be used, for a message that a person reads. */
public final class FileFaults {
    private FileFaults() {}

    /**
     * Returns a phrase for a fault. Needed because many {@code java.nio.file} exceptions have only a path as their
     * message, and tell the reason by their class; and because a wrapper without a message shows its cause's class.
     *
     * @param fault the fault
     * @return the reason, and the path that the exception names, without the name of a class of the JDK unless
     *     nothing else is known; no dot at the end
     */
    public static String reason(Throwable fault) {
        Throwable cause = fault.getCause();
        if (cause != null && cause.toString().equals(fault.getMessage())) {
            return reason(cause);
        }
        Optional<String> said = Optional.ofNullable(fault.getMessage()).filter(text -> !text.isBlank());
        if (fault instanceof FileSystemException known && known.getReason() == null) {
            return bare(known).or(() -> said).orElseGet(() -> name(fault));
        }
        return said.orElseGet(() -> name(fault));
    }

    /** Returns the phrase for an exception without a reason; empty if its class gives none. */
    private static Optional<String> bare(FileSystemException fault) {
        if (fault.getFile() == null) {
            return Optional.empty();
        }
        // The exception does not say which of two files is at fault.
        String other = fault.getOtherFile() == null ? "" : " or '" + fault.getOtherFile() + "'";
        String file = "'" + fault.getFile() + "'" + other;
        // No switch over types: the JDK links it at its first use, which takes 10 ms.
        if (fault instanceof NoSuchFileException) {
            return Optional.of(file + " does not exist");
        }
        if (fault instanceof AccessDeniedException) {
            return Optional.of("no permission for " + file);
        }
        if (fault instanceof FileAlreadyExistsException) {
            return Optional.of(file + " exists already");
        }
        if (fault instanceof NotDirectoryException) {
            return Optional.of(file + " is no directory");
        }
        if (fault instanceof DirectoryNotEmptyException) {
            return Optional.of("the directory " + file + " is not empty");
        }
        if (fault instanceof NotLinkException) {
            return Optional.of(file + " is no link");
        }
        if (fault instanceof FileSystemLoopException) {
            return Optional.of("links lead from " + file + " back to it");
        }
        return Optional.empty();
    }

    private static String name(Throwable fault) {
        return fault.getClass().getSimpleName();
    }
}
