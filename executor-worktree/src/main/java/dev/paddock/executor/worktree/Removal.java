package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.Trees;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.UUID;

/**
 * Moves an entry out of a directory that commands may be changing: renames it into the quarantine; across file systems,
 * or if that fails, first to a new name in the same directory that no program obeys.
 */
final class Removal {
    private static final Logger LOG = LateLogger.of(Removal.class);

    /** The most that is copied to another file system: a command chooses its size. */
    private static final long MAX_COPIED_BYTES = 1L << 30;

    private static final long MAX_COPIED_FILES = 100_000;

    private final GuardStore store;

    Removal(GuardStore store) {
        this.store = store;
    }

    /** The end of an attempt. */
    sealed interface Outcome {}

    /** Nothing existed. */
    record Absent() implements Outcome {}

    /** The entry is in the quarantine. */
    record Moved(Path to) implements Outcome {}

    /** The entry has another name in its directory, and mode 000. */
    record SetAside(Path to, String why) implements Outcome {}

    /** The entry is still there. */
    record Stuck(String why) implements Outcome {}

    /**
     * Removes an entry of any kind.
     *
     * @param root an ancestor whose own path no command can change
     * @param path the entry
     */
    Outcome remove(Path root, Path path) {
        Path name = path.getFileName();
        Path directory = path.getParent();
        if (name == null || directory == null) {
            return new Stuck("it is the root of the file system");
        }
        try (Pinned parent = Pinned.unlockedDirectory(root, directory)) {
            return rename(parent, name, directory);
        } catch (NoSuchFileException | NotDirectoryException absent) {
            return new Absent(); // or below a link, whose target is examined
        } catch (IOException fault) {
            return new Stuck(FileFaults.reason(fault));
        }
    }

    private Outcome rename(Pinned parent, Path name, Path directory) throws IOException {
        if (!isIn(parent, name)) {
            return new Absent();
        }
        Path target;
        try {
            target = store.quarantined(name);
        } catch (IOException fault) {
            return setAside(parent, name, directory, "the quarantine cannot be used: " + FileFaults.reason(fault));
        }
        try {
            return renameTo(parent, name, target);
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            return copyOut(parent, name, directory, target);
        } catch (IOException fault) {
            // Also for NoSuchFileException: a file system may answer it for the target.
            return !parent.has(name)
                    ? new Absent()
                    : setAside(
                            parent,
                            name,
                            directory,
                            "it cannot be moved to the quarantine: " + FileFaults.reason(fault));
        }
    }

    /** Opens a directory to check whether it has an entry. */
    private static boolean isIn(Pinned parent, Path name) throws IOException {
        try {
            return parent.has(name);
        } catch (AccessDeniedException closed) {
            parent.makeAccessible();
            return parent.has(name);
        }
    }

    private static Outcome renameTo(Pinned parent, Path name, Path target) throws IOException {
        try {
            Files.move(parent.at(name), target, StandardCopyOption.ATOMIC_MOVE);
        } catch (AccessDeniedException closed) {
            // A directory that its owner cannot write to cannot be moved to another directory.
            parent.makeAccessible();
            try (Pinned entry = parent.child(name)) {
                entry.makeAccessible();
            }
            Files.move(parent.at(name), target, StandardCopyOption.ATOMIC_MOVE);
        }
        return new Moved(target);
    }

    private static Outcome setAside(Pinned parent, Path name, Path directory, String why) {
        try {
            Path aside = hide(parent, name);
            return new SetAside(directory.resolve(aside), why);
        } catch (IOException fault) {
            return new Stuck(why + "; nor renamed: " + FileFaults.reason(fault));
        }
    }

    private static Path hide(Pinned parent, Path name) throws IOException {
        parent.makeAccessible();
        Path aside = Path.of(".paddock-" + UUID.randomUUID());
        Files.move(parent.at(name), parent.at(aside), StandardCopyOption.ATOMIC_MOVE);
        close(parent, aside);
        return aside;
    }

    private static void close(Pinned parent, Path aside) throws IOException {
        try (Pinned hidden = parent.child(aside)) {
            if (!hidden.attributes().isSymbolicLink()) {
                hidden.setPermissions(EnumSet.noneOf(PosixFilePermission.class));
            }
        }
    }

    private Outcome copyOut(Pinned parent, Path name, Path directory, Path target) {
        Path aside;
        try {
            aside = hide(parent, name);
        } catch (IOException fault) {
            return new Stuck("it cannot be renamed: " + FileFaults.reason(fault));
        }
        try {
            Path quarantine = Pinned.parentOf(target);
            try (Pinned hidden = parent.child(aside);
                    Pinned holder = Pinned.directory(quarantine, quarantine)) {
                hidden.makeAccessible();
                Trees.copy(hidden, holder, target.getFileName(), new Trees.Budget(MAX_COPIED_BYTES, MAX_COPIED_FILES));
            }
            parent.remove(aside);
            return new Moved(target);
        } catch (IOException fault) {
            leaveHidden(parent, aside, target);
            return new SetAside(
                    directory.resolve(aside),
                    "it cannot be copied to the quarantine '" + PathBytes.escaped(target) + "': "
                            + FileFaults.reason(fault));
        }
    }

    /** Rolls back a failed copy. */
    private void leaveHidden(Pinned parent, Path aside, Path target) {
        try {
            close(parent, aside);
            store.discard(target);
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "A part of {0} is left in the quarantine: {1}", aside, fault.getMessage());
        }
    }
}
