package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads small files of git directories. A link, a pipe or a device is not opened, also if a command
 * that is still alive exchanges the file for one at any moment: nothing blocks.
 */
public final class SmallFile {
    /** Larger pointers, configuration files and lists are not read. Git's own limit for a pointer. */
    public static final int LARGEST = 1 << 20;

    private SmallFile() {}

    /**
     * Reads a regular file of at most {@link #LARGEST} bytes.
     *
     * @return its bytes as ISO 8859-1; empty if it is no regular file, too large or unreadable
     */
    public static Optional<String> read(Path file) {
        return read(file, LARGEST);
    }

    /** Reads a regular file of at most so many bytes. */
    public static Optional<String> read(Path file, int largest) {
        return bytes(file, largest).map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /**
     * Reads a regular file of at most so many bytes.
     *
     * @return empty if it is no regular file, too large or unreadable
     */
    public static Optional<byte[]> bytes(Path file, int largest) {
        try {
            return FileReference.isSupported() ? readPinned(file, largest) : readChecked(file, largest);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Checks the kind of the very file that is opened afterwards, whatever the path leads to then. */
    private static Optional<byte[]> readPinned(Path file, int largest) throws IOException {
        try (FileReference pinned = FileReference.open(FileReference.NO_DIRECTORY, file, file)) {
            BasicFileAttributes attributes = Files.readAttributes(pinned.path(), BasicFileAttributes.class);
            return attributes.isRegularFile() ? content(pinned.path(), attributes.size(), largest) : Optional.empty();
        }
    }

    /** Where the C library cannot be called: a pipe that takes the file's place in between blocks. */
    private static Optional<byte[]> readChecked(Path file, int largest) throws IOException {
        return EntryState.of(file).is(EntryState.Kind.FILE)
                ? content(file, Files.size(file), largest, LinkOption.NOFOLLOW_LINKS)
                : Optional.empty();
    }

    private static Optional<byte[]> content(Path file, long size, int largest, OpenOption... options)
            throws IOException {
        if (size > largest) {
            return Optional.empty();
        }
        try (InputStream input = Files.newInputStream(file, options)) {
            byte[] content = input.readNBytes((int) size);
            byte[] grown = input.readNBytes(largest - content.length + 1);
            if (content.length + grown.length > largest) {
                return Optional.empty();
            }
            if (grown.length == 0) {
                return Optional.of(content);
            }
            byte[] all = Arrays.copyOf(content, content.length + grown.length);
            System.arraycopy(grown, 0, all, content.length, grown.length);
            return Optional.of(all);
        }
    }
}
