package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.file.RegularFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads small files of git directories. Opens no link, pipe or device, and does not block on one that replaces the file
 * meanwhile.
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
            Optional<FileStatus> status = FileStatus.of(file); // most are absent: opening those costs an exception
            if (status.filter(FileStatus::isFile).isEmpty() || status.get().size() > largest) {
                return Optional.empty();
            }
            Optional<byte[]> whole = ContentReader.whole(file, status.get().size());
            return whole.isPresent() ? whole : opened(file, largest);
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> opened(Path file, int largest) throws IOException {
        try (FileChannel channel = RegularFile.open(file)) {
            byte[] content = Channels.newInputStream(channel).readNBytes(largest + 1);
            return content.length > largest ? Optional.empty() : Optional.of(content);
        }
    }
}
