package dev.paddock.executor.worktree.journal;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Creates and deletes the directory of a journal, while other processes create and delete it, too. */
final class JournalDirectory {
    private static final Logger LOG = LateLogger.of(JournalDirectory.class);
    private static final FileAttribute<Set<PosixFilePermission>> OWN_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private JournalDirectory() {}

    /**
     * Creates a directory unless it exists. {@link Files#createDirectories} fails if the last session removes it
     * between the call that finds it and the one that checks its kind.
     *
     * @throws NoSuchFileException if it was just removed, or its parent was just created: try again
     */
    static void create(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, OWN_ALONE);
        } catch (NoSuchFileException orphan) {
            Files.createDirectories(Pinned.parentOf(directory), OWN_ALONE);
            throw orphan;
        } catch (FileAlreadyExistsException taken) {
            if (!Files.readAttributes(directory, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isDirectory()) {
                throw new FileAlreadyExistsException(directory.toString(), null, "it is no directory; remove it");
            }
        }
    }

    /**
     * Deletes a directory with all files in it.
     *
     * @param last the file deleted last, which marks the removal: if this process is killed, a later session continues
     *     it
     */
    static void delete(Path last) throws IOException {
        Path directory = Pinned.parentOf(last);
        try (Pinned holder = Pinned.directory(directory, directory)) {
            for (Path name : holder.names()) {
                if (!last.endsWith(name)) {
                    holder.remove(name);
                }
            }
        }
        Files.delete(last);
        try {
            Files.deleteIfExists(directory); // another session may have used it, and removed it, since
        } catch (DirectoryNotEmptyException inUse) {
            LOG.log(Level.DEBUG, "{0} is being used again", directory);
        }
    }
}
