package dev.paddock.executor.docker.engine;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a file from an engine's archive. */
final class ArchivedFile {
    private static final int BLOCK = 512;
    private static final int SIZE = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int TYPE = 156;

    /** Headers that describe the next entry. */
    private static final String EXTENSIONS = "xgLK";

    private ArchivedFile() {}

    /**
     * Returns the content of the first entry.
     *
     * @param limit the most bytes to read
     * @return empty if it is no regular file, or a longer one
     */
    static Optional<byte[]> read(InputStream archive, int limit) throws IOException {
        while (true) {
            byte[] header = exactly(archive, BLOCK);
            char type = header[TYPE] == 0 ? '0' : (char) header[TYPE];
            long size = size(header);
            if (size < 0 || size > limit) {
                return Optional.empty();
            }
            if (type == '0') {
                return Optional.of(exactly(archive, (int) size));
            }
            if (EXTENSIONS.indexOf(type) < 0) {
                return Optional.empty();
            }
            archive.skipNBytes((size + BLOCK - 1) / BLOCK * BLOCK);
        }
    }

    private static long size(byte[] header) throws IOException {
        String digits = new String(header, SIZE, SIZE_LENGTH, StandardCharsets.ISO_8859_1)
                .replace('\0', ' ')
                .strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException fault) {
            throw new IOException("the engine's archive has an entry with the size '" + digits + "'", fault);
        }
    }

    private static byte[] exactly(InputStream archive, int length) throws IOException {
        byte[] bytes = archive.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the engine's archive is cut off");
        }
        return bytes;
    }
}
