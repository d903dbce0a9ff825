package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Records on disk the baseline of a worktree, and whether commands are live, so that the next
 * session can settle the worktree if this one is killed. Each record has its length, a checksum and
 * a kind; reading ends at the first damaged one. A guard that has settled leaves no journal.
 */
final class Journal implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Journal.class.getName());
    private static final long BEAT_SECONDS = 2;
    private static final byte BASELINE = 'b';
    private static final byte LIVE = 'l';
    private static final byte SETTLED = 's';
    private static final byte ACCEPTED = 'a';
    private static final int HEADER = 4 + 8 + 1;

    private final Path directory;
    private final FileChannel lock;
    private final FileChannel records;
    private byte[] last = new byte[0];
    private @Nullable ScheduledThreadPoolExecutor clock;
    private @Nullable ScheduledFuture<?> beat;

    /**
     * What a killed session has left.
     *
     * @param snapshot its last baseline
     * @param lastBeat when its commands were live for certain, in milliseconds since 1970
     * @param accepted the paths whose state the user has accepted since
     */
    record Unsettled(JournalFormat.Snapshot snapshot, long lastBeat, Set<Path> accepted) {}

    private Journal(Path directory, FileChannel lock, FileChannel records) {
        this.directory = directory;
        this.lock = lock;
        this.records = records;
    }

    /**
     * Opens the journal of a worktree.
     *
     * @param journals the directory of all journals; created if it does not exist
     * @param root the worktree
     * @return empty if another live session holds it
     */
    static Optional<Journal> open(Path journals, Path root) throws IOException {
        Journals.sweep(journals);
        Path directory = journals.resolve(Journals.name(root));
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(directory.resolve("worktree"), PathBytes.of(root), StandardCharsets.ISO_8859_1);
        return lock(directory);
    }

    /** Opens the journal in a directory; empty if a live session holds it. */
    static Optional<Journal> lock(Path directory) throws IOException {
        FileChannel lock =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!isLocked(lock)) {
            lock.close();
            return Optional.empty();
        }
        FileChannel records = FileChannel.open(
                directory.resolve("records"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        return Optional.of(new Journal(directory, lock, records));
    }

    @SuppressWarnings("StreamResourceLeak") // the lock ends with its channel
    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException ofThisJvm) {
            return false;
        }
    }

    /** Returns the directory that holds the copies of the protected files. */
    Path directory() {
        return directory;
    }

    /** Reads what the last session has left; empty if it had settled. */
    Optional<Unsettled> unsettled(Territory territory) throws IOException {
        ByteBuffer content = ByteBuffer.allocate((int) Math.min(records.size(), 1 << 28));
        while (content.hasRemaining() && records.read(content, content.position()) >= 0) {
            LOG.log(Level.TRACE, "The journal in {0} is being read", directory);
        }
        content.flip();
        byte[] baseline = new byte[0];
        boolean live = false;
        Set<Path> accepted = new HashSet<>();
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
            end = content.position();
            switch (kind) {
                case BASELINE -> baseline = payload;
                case LIVE -> live = true;
                case SETTLED -> live = false;
                default ->
                    PathBytes.path(new String(payload, StandardCharsets.ISO_8859_1))
                            .ifPresent(accepted::add);
            }
        }
        records.position(end);
        records.truncate(end);
        if (!live || baseline.length == 0) {
            return Optional.empty();
        }
        Path beats = directory.resolve("beat");
        long lastBeat = Files.exists(beats) ? Files.getLastModifiedTime(beats).toMillis() : 0;
        return Optional.of(new Unsettled(JournalFormat.read(baseline, territory), lastBeat, accepted));
    }

    /** Records that commands are live, and the baseline if it differs from the recorded one. */
    void begin(JournalFormat.Snapshot snapshot) {
        try {
            byte[] payload = JournalFormat.write(snapshot);
            if (!Arrays.equals(payload, last)) {
                append(BASELINE, payload);
                records.force(false);
                last = payload;
            }
            append(LIVE, new byte[0]);
            beat();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the journal in '" + directory + "' cannot be written (" + fault.getMessage()
                            + "): free space there, or set XDG_STATE_HOME to another directory",
                    fault);
        }
        if (clock == null) {
            clock = new ScheduledThreadPoolExecutor(
                    1, DaemonThreads.platform("paddock-journal").factory());
        }
        beat = clock.scheduleAtFixedRate(this::beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    private void beat() {
        try {
            Path file = directory.resolve("beat");
            if (Files.notExists(file)) {
                Files.createFile(file);
            }
            Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
        } catch (IOException fault) {
            LOG.log(Level.WARNING, "The journal in {0} cannot be written: {1}", directory, fault.getMessage());
        }
    }

    /**
     * Records that no command is live and the worktree is settled. Throws nothing: without the
     * record the next session examines the worktree once more.
     */
    void settled() {
        ScheduledFuture<?> running = beat;
        if (running != null) {
            running.cancel(false);
            beat = null;
        }
        try {
            append(SETTLED, new byte[0]);
        } catch (IOException fault) {
            LOG.log(Level.WARNING, "The journal in {0} cannot be written: {1}", directory, fault.getMessage());
        }
    }

    /** Records that the user accepts the state of a path. */
    void accept(Path path) throws IOException {
        records.position(records.size());
        append(ACCEPTED, PathBytes.of(path).getBytes(StandardCharsets.ISO_8859_1));
    }

    private void append(byte kind, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(payload.length);
        out.writeLong(checksum(kind, payload));
        out.write(kind);
        out.write(payload);
        ByteBuffer record = ByteBuffer.wrap(bytes.toByteArray());
        while (record.hasRemaining()) {
            records.write(record);
        }
    }

    private static long checksum(byte kind, byte[] payload) {
        CRC32 sum = new CRC32();
        sum.update(kind);
        sum.update(payload);
        return sum.getValue() + 1; // zeros are no valid record
    }

    /** Closes the journal, and leaves it for the next session. */
    @Override
    public void close() {
        if (clock != null) {
            clock.shutdownNow();
        }
        try {
            records.close();
            lock.close();
        } catch (IOException fault) {
            throw new UncheckedIOException("the journal in '" + directory + "' cannot be closed", fault);
        }
    }

    /** Deletes the journal of a worktree that is settled, and closes it. */
    void delete() {
        try {
            Path parent = Pinned.parentOf(directory);
            try (Pinned holder = Pinned.directory(parent, parent)) {
                Trees.delete(holder, directory.getFileName());
            }
        } catch (IOException fault) {
            LOG.log(Level.WARNING, "The journal in {0} cannot be removed: {1}", directory, fault.getMessage());
        } finally {
            close();
        }
    }
}
