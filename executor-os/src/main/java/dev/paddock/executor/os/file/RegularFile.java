package dev.paddock.executor.os.file;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Opens files that commands can replace at any moment. Opens only a regular file: follows no link, blocks on no pipe,
 * and reaches no device.
 *
 * <p>Opens a reference to the file, checks its kind, then opens the same file for reading. Java has no {@code
 * O_NONBLOCK}, with which the kind of an open file could be checked instead.
 */
public final class RegularFile {
    private RegularFile() {}

    /** Reports that a name is not a regular file's. */
    public static final class OtherKind extends FileSystemException {
        private static final long serialVersionUID = 1;

        private OtherKind(String name, BasicFileAttributes found) {
            super(
                    name,
                    null,
                    found.isSymbolicLink()
                            ? "it is a symbolic link, which is not followed"
                            : found.isDirectory()
                                    ? "it is a directory"
                                    : "it is a pipe, a socket or a device, and is not opened");
        }
    }

    /**
     * Opens a file to read.
     *
     * @throws OtherKind if it is no regular file
     */
    public static FileChannel open(Path file) throws IOException {
        return open(file, StandardOpenOption.READ);
    }

    /** Opens an existing file, to read or to write. */
    static FileChannel open(Path file, StandardOpenOption access) throws IOException {
        if (FileReference.isSupported()) {
            try (FileReference reference = FileReference.open(FileReference.NO_DIRECTORY, file, file)) {
                return open(reference, file, access);
            }
        }
        requireRegular(file, Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        // Blocks if a pipe replaces the file here.
        return FileChannel.open(file, access, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens an entry of a directory that a descriptor keeps open.
     *
     * @param access {@code READ} or {@code WRITE}
     * @throws OtherKind if it is no regular file
     */
    public static FileChannel openEntry(Pinned directory, Path name, StandardOpenOption access) throws IOException {
        try (FileReference reference = directory.reference().child(name)) {
            return open(reference, name, access);
        }
    }

    private static FileChannel open(FileReference reference, Path name, StandardOpenOption access) throws IOException {
        requireRegular(name, reference.attributes());
        try {
            return FileChannel.open(reference.path(), access);
        } catch (AccessDeniedException fault) { // it names the reference's path
            AccessDeniedException denied = new AccessDeniedException(PathBytes.escaped(name));
            denied.initCause(fault);
            throw denied;
        }
    }

    private static void requireRegular(Path name, BasicFileAttributes found) throws OtherKind {
        if (!found.isRegularFile()) {
            throw new OtherKind(PathBytes.escaped(name), found);
        }
    }
}
