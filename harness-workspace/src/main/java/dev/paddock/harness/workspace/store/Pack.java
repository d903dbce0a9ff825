package dev.paddock.harness.workspace.store;

import dev.paddock.harness.workspace.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A file with many contents: the concatenated contents; the index, sorted by hash, with offset and length of each; the
 * number of contents. Its name is the hash of the index.
 */
final class Pack {
    static final String SUFFIX = ".pack";

    private static final int ENTRY = Hash.BYTES + Long.BYTES + Integer.BYTES;

    private final Path file;
    private final byte[] index;

    private Pack(Path file, byte[] index) {
        this.file = file;
        this.index = index;
    }

    /** Where a content is. */
    record Extent(long offset, int length) {}

    /** Writes contents as a pack, whose final name is known at the end. */
    static final class Writer implements AutoCloseable {
        private final Path file;
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
        private final Map<String, Extent> extents = new TreeMap<>();
        private long size;

        Writer(Path file) throws IOException {
            this.file = file;
            channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }

        void add(Hash hash, byte[] content, int length) throws IOException {
            extents.put(hash.hex(), new Extent(size, length));
            put(content, length);
            size += length;
        }

        private void put(byte[] bytes, int length) throws IOException {
            if (buffer.remaining() < length) {
                flush();
            }
            if (buffer.capacity() < length) {
                for (ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length); rest.hasRemaining(); ) {
                    channel.write(rest);
                }
            } else {
                buffer.put(bytes, 0, length);
            }
        }

        private void flush() throws IOException {
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
        }

        long size() {
            return size;
        }

        /** Writes the index and all data to the device; returns the pack's name. */
        String finish() throws IOException {
            ByteBuffer index = ByteBuffer.allocate(extents.size() * ENTRY);
            extents.forEach((hash, extent) -> index.put(HexFormat.of().parseHex(hash))
                    .putLong(extent.offset)
                    .putInt(extent.length));
            put(index.array(), index.capacity());
            put(ByteBuffer.allocate(Integer.BYTES).putInt(extents.size()).array(), Integer.BYTES);
            flush();
            channel.force(true);
            return Hash.of(index.array(), 0, index.capacity()).hex() + SUFFIX;
        }

        Path file() {
            return file;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /**
     * Opens a pack and compares its index with its name.
     *
     * @throws StoreException if it is cut or its index altered
     */
    static Pack open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            long count = size < Integer.BYTES
                    ? -1
                    : ByteBuffer.wrap(at(channel, size - Integer.BYTES, Integer.BYTES))
                            .getInt();
            long start = size - Integer.BYTES - count * ENTRY;
            if (count < 0 || start < 0 || count * ENTRY > Integer.MAX_VALUE) {
                throw damaged(file, "it is cut");
            }
            byte[] index = at(channel, start, (int) (count * ENTRY));
            if (!file.endsWith(Hash.of(index, 0, index.length).hex() + SUFFIX)) {
                throw damaged(file, "its index is cut or altered");
            }
            return new Pack(file, index);
        }
    }

    private static StoreException damaged(Path file, String reason) {
        return new StoreException(
                StoreException.Reason.CORRUPT,
                "the pack '" + file + "' is damaged: " + reason + "; verify() names the snapshots that it belongs to");
    }

    /** Reads bytes; fewer at the end of the file. */
    private static byte[] at(FileChannel channel, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int read = 0;
        while (read >= 0 && buffer.hasRemaining()) {
            read = channel.read(buffer, offset + buffer.position());
        }
        return buffer.hasRemaining() ? Arrays.copyOf(bytes, buffer.position()) : bytes;
    }

    Path file() {
        return file;
    }

    int count() {
        return index.length / ENTRY;
    }

    Hash hash(int at) {
        return Hash.of(Arrays.copyOfRange(index, at * ENTRY, at * ENTRY + Hash.BYTES));
    }

    Extent extent(int at) {
        ByteBuffer entry = ByteBuffer.wrap(index, at * ENTRY + Hash.BYTES, ENTRY - Hash.BYTES);
        return new Extent(entry.getLong(), entry.getInt());
    }

    Optional<Extent> find(Hash hash) {
        byte[] wanted = hash.bytes();
        int low = 0;
        int high = count() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int start = middle * ENTRY;
            int order = Arrays.compareUnsigned(index, start, start + Hash.BYTES, wanted, 0, Hash.BYTES);
            if (order == 0) {
                return Optional.of(extent(middle));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    /** Reads a content; empty if it does not match the hash. */
    Optional<byte[]> read(FileChannel channel, Hash hash, Extent extent) throws IOException {
        if (extent.offset < 0 || extent.length < 0 || extent.offset + extent.length > channel.size()) {
            return Optional.empty();
        }
        byte[] read = at(channel, extent.offset, extent.length);
        return read.length == extent.length && Hash.of(read, 0, read.length).equals(hash)
                ? Optional.of(read)
                : Optional.empty();
    }

    FileChannel channel() throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ);
    }
}
