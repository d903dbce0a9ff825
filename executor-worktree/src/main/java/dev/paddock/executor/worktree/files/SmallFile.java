package dev.paddock.executor.worktree.files;

import dev.paddock.executor.process.file.RegularFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads small files of git directories. Never opens a link, a pipe or a device, even if a command
 * swaps the file for one at any moment: nothing blocks.
 */
public final class SmallFile {
    /** Larger pointers, configuration files and lists are not read. Git's own limit for a pointer. */
    public static final int MAX_BYTES = 1 << 20;

    private SmallFile() {}

    /**
     * Reads a regular file of at most {@link #MAX_BYTES} bytes.
     *
     * @return its bytes as ISO 8859-1; empty if it is no regular file, too large or unreadable
     */
    public static Optional<String> read(Path file) {
        return read(file, MAX_BYTES);
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
        try (FileChannel channel = RegularFile.open(file)) {
            return content(channel, largest);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> content(FileChannel channel, int largest) throws IOException {
        if (channel.size() > largest) {
            return Optional.empty();
        }
        byte[] content = Channels.newInputStream(channel).readNBytes(largest + 1);
        return content.length > largest ? Optional.empty() : Optional.of(content);
    }
}
