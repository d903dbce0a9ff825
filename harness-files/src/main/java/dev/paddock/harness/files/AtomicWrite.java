package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a file atomically: creates a temporary file with an unguessable name next to the target and renames it over
 * the target. Preserves the mode, and the owner where the process may set one, but not extended attributes.
 *
 * <p>The target becomes a new file: hard links, also from outside, and programs that have the file open keep the old
 * content. Writing into the file would be worse: readers see a mixture of both contents, and a shell continues in the
 * middle of a line of its changed script.
 */
final class AtomicWrite implements AutoCloseable {
    private static final int CHUNK = 1 << 20;
    private static final Set<PosixFilePermission> WRITE =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Location where;
    private final AbortSignal signal;
    private final DirectoryMaker parents;
    private final String temporary = DirectoryMaker.unguessable();
    private boolean pending;

    /**
     * Prepares a write.
     *
     * @param cradle the root in which directories are created before they are moved to their final path
     */
    AtomicWrite(Location where, GrantedDirectory cradle, AbortSignal signal) {
        this.where = where;
        this.signal = signal;
        this.parents = new DirectoryMaker(where, cradle);
    }

    void prepare(byte[] content) throws IOException {
        where.requireEntry("Name a file in it");
        requireReplaceable(where);
        parents.enterParents();
        Directory directory = parents.directory();
        boolean replaces = where.attributes().isPresent();
        pending = true;
        try (SeekableByteChannel channel = directory.createFile(temporary, replaces)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                signal.throwIfAborted();
                ByteBuffer chunk = rest.slice(rest.position(), Math.min(CHUNK, rest.remaining()));
                rest.position(rest.position() + channel.write(chunk));
            }
        }
        BasicFileAttributes model = replaces ? where.existing() : directory.attributes();
        parents.keepOwner(directory, temporary, model);
        if (replaces && model instanceof PosixFileAttributes posix) {
            directory.copyMode(posix, temporary);
        }
    }

    /** Refuses anything but a regular file whose mode permits writing. */
    static void requireReplaceable(Location where) {
        where.attributes().ifPresent(existing -> {
            if (existing.isDirectory()) {
                throw new FileException(
                        Reason.NOT_A_FILE, where.shown(), where.shown() + " is a directory. Name a file in it");
            }
            if (!existing.isRegularFile()) {
                throw new FileException(
                        Reason.NOT_A_FILE,
                        where.shown(),
                        where.shown() + " is a pipe, a socket or a device, and is not replaced. Name another file");
            }
            if (existing instanceof PosixFileAttributes posix
                    && posix.permissions().stream().noneMatch(WRITE::contains)) {
                throw new FileException(
                        Reason.NOT_WRITABLE,
                        where.shown(),
                        where.shown()
                                + " is read-only by its mode. If it is meant to change, make it writable first (chmod"
                                + " u+w)");
            }
        });
    }

    /** Renames the temporary file over the target, if the target is still as expected. */
    void commit(Optional<BasicFileAttributes> expected) throws IOException {
        if (expected.isPresent()) {
            requireUnchanged(where, parents.directory(), expected.get());
        }
        signal.throwIfAborted(); // after an abort, nothing may be written
        parents.directory().move(temporary, parents.directory(), where.name());
        pending = false;
    }

    /** Refuses a file whose identity, size or time differs from the expected one. */
    static void requireUnchanged(Location where, Directory directory, BasicFileAttributes expected) throws IOException {
        Optional<BasicFileAttributes> now = directory.attributes(where.name());
        boolean unchanged = now.isPresent()
                && Objects.equals(now.get().fileKey(), expected.fileKey())
                && now.get().size() == expected.size()
                && now.get().lastModifiedTime().equals(expected.lastModifiedTime());
        if (!unchanged) {
            throw new FileException(
                    Reason.CHANGED,
                    where.shown(),
                    where.shown() + " was changed by something else during the call, and was left as it is now. "
                            + "Read it again");
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (pending && parents.directory().attributes(temporary).isPresent()) {
                parents.directory().deleteFile(temporary);
            }
        } finally {
            parents.close();
        }
    }
}
