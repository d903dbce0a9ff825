package dev.paddock.harness.files.content;

import dev.paddock.executor.os.file.RegularFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads host files that commands can replace, outside of a session's file tools. */
public final class HostFile {
    private HostFile() {}

    /**
     * Returns the beginning of a regular file. Follows no link in its place, and does not block at a pipe.
     *
     * @param file the file
     * @param most the most bytes to read
     * @return its first bytes
     * @throws IOException if it cannot be read or is no regular file
     */
    public static byte[] read(Path file, int most) throws IOException {
        try (FileChannel channel = RegularFile.open(file)) {
            return Channels.newInputStream(channel).readNBytes(most);
        }
    }
}
