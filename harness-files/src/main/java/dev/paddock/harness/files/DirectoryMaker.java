package dev.paddock.harness.files;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/** Enters nested directories, starting from an open one, and creates missing ones. Owns those that it has entered. */
final class DirectoryMaker implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(DirectoryMaker.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Location where;
    private final GrantedDirectory cradle;
    private Directory directory;
    private boolean entered;

    /**
     * Starts in the deepest directory that exists.
     *
     * @param cradle the root in which directories are created before they are moved to their final path
     */
    DirectoryMaker(Location where, GrantedDirectory cradle) {
        this.where = where;
        this.cradle = cradle;
        this.directory = where.parent();
    }

    /** Returns the last entered directory. */
    Directory directory() {
        return directory;
    }

    static String unguessable() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return ".paddock-" + HexFormat.of().formatHex(random);
    }

    void enterParents() throws IOException {
        for (String parent : where.missing()) {
            enter(parent);
        }
    }

    /** Enters a directory of the current one. */
    void enter(String name) throws IOException {
        if (directory.attributes(name).isEmpty()) {
            make(name);
        }
        Directory next = directory.openDirectory(name);
        close();
        directory = next;
        entered = true;
    }

    /**
     * Creates a directory in the cradle and renames it to its final path: Java cannot create a directory relative to an
     * open one. The path in the cradle cannot be redirected: a command would have to write above every writable root,
     * and creating a directory follows no link in the last component. The rename uses two open directories.
     */
    private void make(String name) throws IOException {
        String fresh = unguessable();
        if (!cradle.isInPlace()) {
            throw new FileSystemException(
                    where.shown(), null, cradle.shown() + " is no longer where it was when the session began");
        }
        Files.createDirectory(cradle.path().resolve(fresh));
        try {
            keepOwner(cradle.directory(), fresh, directory.attributes());
            cradle.directory().move(fresh, directory, name);
        } catch (FileSystemException e) {
            cradle.directory().deleteDirectory(fresh);
            if (directory
                    .attributes(name)
                    .filter(BasicFileAttributes::isDirectory)
                    .isEmpty()) {
                throw e;
            }
            LOG.log(Level.DEBUG, "another made the directory " + name + " in the meantime", e);
        }
    }

    /**
     * Copies the owner of the model. A root process that writes in an ordinary user's worktree leaves files owned by
     * that user, so that commands can change them. Any other process may not change owners; its failure is logged at
     * DEBUG.
     */
    void keepOwner(Directory in, String entry, BasicFileAttributes model) throws IOException {
        Optional<BasicFileAttributes> made = in.attributes(entry);
        if (made.isPresent()
                && made.get() instanceof PosixFileAttributes own
                && model instanceof PosixFileAttributes wanted
                && !own.owner().equals(wanted.owner())) {
            try {
                in.copyOwner(wanted, entry);
            } catch (FileSystemException e) {
                LOG.log(Level.DEBUG, "the owner of " + where.shown() + " cannot be kept", e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        if (entered) {
            directory.close();
        }
    }
}
