package dev.paddock.executor.sandbox.worktree.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The kind and owner of a directory entry, read without following a link.
 *
 * @param kind what the entry is
 * @param owner its user id; -1 if there is no entry, or it cannot be read
 */
public record EntryState(Kind kind, int owner) {
    private static final int TYPE = 0170000;
    private static final EntryState ABSENT = new EntryState(Kind.ABSENT, -1);
    private static final EntryState UNREADABLE = new EntryState(Kind.UNREADABLE, -1);

    /** What an entry is. */
    public enum Kind {
        /** There is no such entry. */
        ABSENT,
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link, wherever it points. */
        LINK,
        /** A pipe, a socket or a device. */
        SPECIAL,
        /** The file system did not say: a directory above cannot be searched, or the path is too long. */
        UNREADABLE
    }

    /**
     * Reads the state of an entry.
     *
     * @param path the entry
     * @return its state
     */
    public static EntryState of(Path path) {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return ABSENT; // an exception for each absent entry would cost ten times as much
        }
        try {
            Map<String, Object> attributes = Files.readAttributes(path, "unix:mode,uid", LinkOption.NOFOLLOW_LINKS);
            return new EntryState(kind(number(attributes, "mode") & TYPE), number(attributes, "uid"));
        } catch (NoSuchFileException vanished) {
            return ABSENT;
        } catch (IOException unreadable) {
            return isBelowFile(path) ? ABSENT : UNREADABLE;
        }
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Integer number ? number : -1;
    }

    private static Kind kind(int type) {
        return switch (type) {
            case 0100000 -> Kind.FILE;
            case 0040000 -> Kind.DIRECTORY;
            case 0120000 -> Kind.LINK;
            default -> Kind.SPECIAL;
        };
    }

    private static boolean isBelowFile(Path path) {
        Path parent = path.getParent();
        return parent != null && Files.isRegularFile(parent, LinkOption.NOFOLLOW_LINKS);
    }

    boolean is(Kind other) {
        return kind == other;
    }
}
