package dev.paddock.harness.files.workspace;

import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;

/**
 * An entry of a directory.
 *
 * @param path its path: relative to the first root if it is in it ({@code .} for the root itself), absolute elsewhere.
 *     A byte of a name that is not UTF-8 is a lone surrogate, {@code U+DC80} to {@code U+DCFF}, so that the path
 *     leads back to the entry
 * @param kind its kind; a link is not followed
 * @param size the size of a file in bytes; meaningless for other kinds
 * @param modified when its content was last modified
 * @since 0.1
 */
public record Entry(String path, Kind kind, long size, Instant modified) {

    /** The kinds of entries. */
    public enum Kind {
        /** A regular file. */
        FILE,
        /** A directory. */
        DIRECTORY,
        /** A symbolic link, wherever it leads. */
        LINK,
        /** A pipe, a socket or a device. */
        OTHER
    }

    static Entry of(String path, BasicFileAttributes found) {
        Kind kind = found.isRegularFile()
                ? Kind.FILE
                : found.isDirectory() ? Kind.DIRECTORY : found.isSymbolicLink() ? Kind.LINK : Kind.OTHER;
        return new Entry(path, kind, found.size(), found.lastModifiedTime().toInstant());
    }

    /** {@return the last name of the path} */
    public String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
