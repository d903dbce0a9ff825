package dev.paddock.executor.worktree.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A small file that several JVMs read, write and lock, opened once in each of them: a POSIX lock belongs to the
 * process, and is lost when the process closes any descriptor of the file.
 *
 * <p>Reads and writes avoid {@link java.nio.channels.FileChannel}, which an interrupted thread would close, and the
 * locks with it; {@code tryLock} does not.
 */
final class SharedFile {
    private static final Map<Path, SharedFile> OPEN = new HashMap<>();

    /** Retries for a file that other processes remove and recreate; a permanent fault repeats. */
    private static final int MAX_FAILURES = 100;

    private final Path path;
    private final RandomAccessFile file;

    private final Object key;

    private int users;

    /** Excludes the threads of this JVM, before a lock on the file excludes other processes. */
    private final ReentrantLock mutex = new ReentrantLock();

    private SharedFile(Path path, RandomAccessFile file, Object key) {
        this.path = path;
        this.file = file;
        this.key = key;
    }

    private static SharedFile open(Path path, boolean creates) throws IOException {
        int failures = 0;
        while (true) {
            Optional<Object> before = key(path);
            if (before.isEmpty()) {
                if (!creates) {
                    throw new NoSuchFileException(path.toString());
                }
                create(path);
                continue;
            }
            RandomAccessFile file;
            try {
                file = new RandomAccessFile(path.toFile(), "rw");
            } catch (FileNotFoundException fault) {
                failures++;
                if (failures == MAX_FAILURES) {
                    throw fault;
                }
                continue; // another process may have removed the file
            }
            if (before.equals(key(path))) {
                return new SharedFile(path, file, before.get());
            }
            file.close(); // another process has replaced it
        }
    }

    private static void create(Path path) throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException another) {
            // Another process has created it.
        }
    }

    private static Optional<Object> key(Path path) throws IOException {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .fileKey();
            return Optional.of(key == null ? path : key); // non-POSIX systems have none
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        }
    }

    /**
     * Opens a file; the caller releases it.
     *
     * @param creates whether to create a missing file
     * @throws NoSuchFileException if its directory does not exist, or the file does not and is not to be created
     */
    static SharedFile acquire(Path path, boolean creates) throws IOException {
        synchronized (OPEN) {
            SharedFile shared = OPEN.get(path);
            if (shared == null || !shared.isInPlace()) {
                shared = open(path, creates);
                OPEN.put(path, shared);
            }
            shared.users++;
            return shared;
        }
    }

    void release() throws IOException {
        synchronized (OPEN) {
            users--;
            if (users == 0) {
                OPEN.remove(path, this);
                file.close();
            }
        }
    }

    /** Returns whether the file is still at its path; it may have been deleted and recreated. */
    boolean isInPlace() throws IOException {
        return key(path).filter(key::equals).isPresent();
    }

    ReentrantLock mutex() {
        return mutex;
    }

    Path path() {
        return path;
    }

    /** Locks one byte, which need not exist; empty if this or another JVM has locked it. */
    Optional<FileLock> tryLock(long position) throws IOException {
        try {
            return Optional.ofNullable(file.getChannel().tryLock(position, 1, false));
        } catch (OverlappingFileLockException ofThisJvm) {
            return Optional.empty();
        }
    }

    /**
     * Reads the file from its beginning.
     *
     * @param most the most bytes to read
     * @return the bytes; fewer if the file is shorter
     */
    synchronized ByteBuffer read(int most) throws IOException {
        byte[] bytes = new byte[most];
        file.seek(0);
        int length = Math.max(0, file.read(bytes));
        return ByteBuffer.wrap(Arrays.copyOf(bytes, length));
    }

    synchronized void write(long position, byte[] bytes) throws IOException {
        file.seek(position);
        file.write(bytes);
    }
}
