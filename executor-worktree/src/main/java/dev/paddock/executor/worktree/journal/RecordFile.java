package dev.paddock.executor.worktree.journal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * A file of records, each with its length, a checksum and a kind; reading ends at the first damaged one, and the next
 * record overwrites it. So a write interrupted by a crash loses no earlier record.
 *
 * @param path the file, which need not exist
 */
public record RecordFile(Path path) {
    private static final int HEADER = 4 + 8 + 1;

    /** Above this size the file is compacted to its last record, unless that is most of it. */
    private static final long MAX_BYTES = 128 << 10;

    /**
     * One record.
     *
     * @param kind the kind of its content
     * @param payload the content
     */
    @SuppressWarnings("ArrayRecordComponent") // read once
    public record Entry(byte kind, byte[] payload) {}

    /**
     * Reads the file.
     *
     * @return the undamaged records, in order; none if the file does not exist
     * @throws IOException if the file cannot be read
     */
    public List<Entry> read() throws IOException {
        List<Entry> entries = new ArrayList<>();
        parse(bytes(), entries);
        return entries;
    }

    private ByteBuffer bytes() throws IOException {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(path));
        } catch (NoSuchFileException absent) {
            return ByteBuffer.allocate(0);
        }
    }

    /** Returns where the undamaged records end. */
    private static int parse(ByteBuffer content, List<Entry> entries) {
        int end = 0;
        while (content.remaining() >= HEADER) {
            int length = content.getInt();
            long sum = content.getLong();
            byte kind = content.get();
            if (length < 0 || length > content.remaining()) {
                break;
            }
            byte[] payload = new byte[length];
            content.get(payload);
            if (sum != checksum(kind, payload)) {
                break;
            }
            entries.add(new Entry(kind, payload));
            end = content.position();
        }
        return end;
    }

    /**
     * Adds a record.
     *
     * @param kind the kind of its content
     * @param payload the content
     * @throws IOException if it cannot be written
     */
    public void append(byte kind, byte[] payload) throws IOException {
        int end = parse(bytes(), new ArrayList<>());
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(end);
            file.seek(end);
            file.write(record(kind, payload));
        }
    }

    /**
     * Creates the file without a record, unless it exists.
     *
     * @throws IOException if it cannot be created
     */
    public void create() throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException fault) {
            return;
        }
    }

    /**
     * Adds a record that makes all earlier ones obsolete. They are removed once there are many.
     *
     * @param kind the kind of its content
     * @param payload the content
     * @return whether another file has taken the path
     * @throws IOException if it cannot be written
     */
    public boolean supersede(byte kind, byte[] payload) throws IOException {
        if (!Files.exists(path) || Files.size(path) < Math.max(MAX_BYTES, 4L * payload.length)) {
            append(kind, payload);
            return false;
        }
        Path fresh = path.resolveSibling("records-new");
        Files.write(fresh, record(kind, payload));
        sync(fresh);
        try {
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException fault) {
            throw new IOException("'" + path + "' cannot be replaced on this file system", fault);
        }
        return true;
    }

    private static byte[] record(byte kind, byte[] payload) {
        return ByteBuffer.allocate(HEADER + payload.length)
                .putInt(payload.length)
                .putLong(checksum(kind, payload))
                .put(kind)
                .put(payload)
                .array();
    }

    private static long checksum(byte kind, byte[] payload) {
        CRC32 sum = new CRC32();
        sum.update(kind);
        sum.update(payload);
        return sum.getValue() + 1; // zeros are no valid record
    }

    /**
     * Syncs a file, or a directory and all files in it, to disk. Does not follow links.
     *
     * @param path exists
     * @throws IOException if the disk reports a fault
     */
    public static void sync(Path path) throws IOException {
        boolean interrupted = Thread.interrupted(); // it would close the channels
        try (Stream<Path> all = Files.walk(path)) {
            for (Path one : (Iterable<Path>) all::iterator) {
                if (!Files.isSymbolicLink(one)) {
                    syncOne(one);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Syncs the names in a directory to disk.
     *
     * @param directory exists
     * @throws IOException if the disk reports a fault
     */
    public static void syncNames(Path directory) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            syncOne(directory);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void syncOne(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
