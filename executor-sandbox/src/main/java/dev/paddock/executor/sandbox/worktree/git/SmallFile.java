package dev.paddock.executor.sandbox.worktree.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads small files of git directories. A link, a pipe or a device is not opened; a command that is
 * still alive could exchange the file for a pipe between the check and the opening.
 */
final class SmallFile {
    /** Larger pointers, configuration files and lists are not read. Git's own limit for a pointer. */
    static final int LARGEST = 1 << 20;

    private SmallFile() {}

    /**
     * Reads a regular file of at most {@link #LARGEST} bytes.
     *
     * @return its bytes as ISO 8859-1; empty if it is no regular file, too large or unreadable
     */
    static Optional<String> read(Path file) {
        return read(file, LARGEST);
    }

    /** Reads a regular file of at most so many bytes. */
    static Optional<String> read(Path file, int largest) {
        if (!EntryState.of(file).is(EntryState.Kind.FILE)) {
            return Optional.empty();
        }
        try (InputStream input = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = input.readNBytes(largest + 1);
            return content.length > largest
                    ? Optional.empty()
                    : Optional.of(new String(content, StandardCharsets.ISO_8859_1));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
