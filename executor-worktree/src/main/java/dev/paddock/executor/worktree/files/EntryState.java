package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The kind and owner of a directory entry, read without following a link.
 *
 * @param owner its user id; -1 if it does not exist, or cannot be read
 */
public record EntryState(Kind kind, int owner) {
    private static final EntryState ABSENT = new EntryState(Kind.ABSENT, -1);
    private static final EntryState UNREADABLE = new EntryState(Kind.UNREADABLE, -1);

    public enum Kind {
        /** The entry does not exist. */
        ABSENT,
        FILE,
        DIRECTORY,
        /** A symbolic link, wherever it points. */
        LINK,
        /** A pipe, a socket or a device. */
        SPECIAL,
        /** The file system did not report it: an ancestor cannot be searched, or the path is too long. */
        UNREADABLE
    }

    /** Reads the state of an entry. */
    public static EntryState of(Path path) {
        try {
            return FileStatus.of(path)
                    .map(status -> new EntryState(kind(status), status.owner()))
                    .orElse(ABSENT);
        } catch (IOException unreadable) {
            return UNREADABLE;
        }
    }

    private static Kind kind(FileStatus status) {
        if (status.isFile()) {
            return Kind.FILE;
        }
        if (status.isDirectory()) {
            return Kind.DIRECTORY;
        }
        return status.isLink() ? Kind.LINK : Kind.SPECIAL;
    }

    public boolean is(Kind other) {
        return kind == other;
    }
}
