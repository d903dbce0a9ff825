package dev.paddock.harness.files;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a file atomically: creates a temporary file with an unguessable name beside the target and
 * renames it over the target. The mode is preserved, and so is the owner where the process may set
 * one; extended attributes are not.
 */
final class AtomicWrite implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AtomicWrite.class);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int CHUNK = 1 << 20;
    private static final Set<PosixFilePermission> WRITE =
            Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Location where;
    private final GrantedDirectory cradle;
    private final AbortSignal signal;
    private Directory directory;
    private final String temporary = unguessable();
    private boolean entered;
    private boolean pending;

    /**
     * Prepares a write.
     *
     * @param cradle the root in which directories are created before they are moved to their place
     */
    AtomicWrite(Location where, GrantedDirectory cradle, AbortSignal signal) {
        this.where = where;
        this.cradle = cradle;
        this.signal = signal;
        this.directory = where.parent();
    }

    private static String unguessable() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return ".paddock-" + HexFormat.of().formatHex(random);
    }

    /** Writes the content to the temporary file. */
    void prepare(byte[] content) throws IOException {
        requireReplaceable();
        for (String parent : where.missing()) {
            enter(parent);
        }
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
        keepOwner(directory, temporary, model);
        if (replaces && model instanceof PosixFileAttributes posix) {
            directory.copyMode(posix, temporary);
        }
    }

    private void requireReplaceable() {
        if (where.name().equals(".")) {
            String role = where.root().base() ? "the worktree itself" : "a granted directory itself";
            throw new FileException(where.shown(), where.shown() + " is " + role + ". Name a file in it");
        }
        if (where.root().file().isPresent()) {
            throw new FileException(
                    where.shown(),
                    where.shown() + " is mounted as a single file, which cannot be replaced: commands would go on "
                            + "seeing the old one. Write to it through a command");
        }
        where.attributes().ifPresent(existing -> {
            if (existing.isDirectory()) {
                throw new FileException(where.shown(), where.shown() + " is a directory. Name a file in it");
            }
            if (!existing.isRegularFile()) {
                throw new FileException(
                        where.shown(),
                        where.shown() + " is a pipe, a socket or a device, and is not replaced. Name another file");
            }
            if (existing instanceof PosixFileAttributes posix
                    && posix.permissions().stream().noneMatch(WRITE::contains)) {
                throw new FileException(
                        where.shown(),
                        where.shown()
                                + " is read-only by its mode. If it is meant to change, make it writable first (chmod u+w)");
            }
        });
    }

    /** Renames the temporary file over the target, if the target is still as expected. */
    void commit(Optional<BasicFileAttributes> expected) throws IOException {
        if (expected.isPresent() && !isUnchanged(expected.get())) {
            throw new FileException(
                    where.shown(),
                    where.shown() + " was changed by something else during the call, and was left as it is now. "
                            + "Read it again");
        }
        signal.throwIfAborted(); // after an abort, nothing may be written
        directory.move(temporary, directory, where.name());
        pending = false;
    }

    private boolean isUnchanged(BasicFileAttributes expected) throws IOException {
        Optional<BasicFileAttributes> now = directory.attributes(where.name());
        return now.isPresent()
                && Objects.equals(now.get().fileKey(), expected.fileKey())
                && now.get().size() == expected.size()
                && now.get().lastModifiedTime().equals(expected.lastModifiedTime());
    }

    private void enter(String name) throws IOException {
        Optional<BasicFileAttributes> found = directory.attributes(name);
        if (found.isEmpty()) {
            makeDirectory(name);
        }
        Directory next = directory.openDirectory(name);
        leave();
        directory = next;
        entered = true;
    }

    /**
     * Creates a directory in the cradle and renames it to its place. Java cannot create a directory
     * relative to an open one. In the cradle, the name is the last component of a path that no
     * command can redirect, since that requires writing above every writable root; and creating a
     * directory never follows a link in the last component. The rename goes from one open directory
     * to another.
     */
    private void makeDirectory(String name) throws IOException {
        GrantedDirectory root = cradle;
        String fresh = unguessable();
        if (!root.isInPlace()) {
            throw new FileSystemException(
                    where.shown(), null, root.shown() + " is no longer where it was when the session began");
        }
        Files.createDirectory(root.path().resolve(fresh));
        try {
            keepOwner(root.directory(), fresh, directory.attributes());
            root.directory().move(fresh, directory, name);
        } catch (FileSystemException e) {
            root.directory().deleteDirectory(fresh);
            if (directory
                    .attributes(name)
                    .filter(BasicFileAttributes::isDirectory)
                    .isEmpty()) {
                throw e;
            }
            LOG.debug("another made the directory {} in the meantime", name, e);
        }
    }

    /**
     * Sets the owner to that of the model. A root process that writes in an ordinary user's
     * worktree leaves files owned by that user, so that commands can change them. The attempt of
     * another process fails, because it may not give files away; the failure is logged at DEBUG.
     */
    private void keepOwner(Directory in, String entry, BasicFileAttributes model) throws IOException {
        Optional<BasicFileAttributes> made = in.attributes(entry);
        if (made.isPresent()
                && made.get() instanceof PosixFileAttributes own
                && model instanceof PosixFileAttributes wanted
                && !own.owner().equals(wanted.owner())) {
            try {
                in.copyOwner(wanted, entry);
            } catch (FileSystemException e) {
                LOG.debug("the owner of {} cannot be kept", where.shown(), e);
            }
        }
    }

    private void leave() throws IOException {
        if (entered) {
            directory.close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            if (pending && directory.attributes(temporary).isPresent()) {
                directory.deleteFile(temporary);
            }
        } finally {
            leave();
        }
    }
}
