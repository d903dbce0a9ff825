package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import dev.paddock.executor.worktree.files.Trees;
import dev.paddock.executor.worktree.git.Verdict;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Repairs findings during one settlement; the only writer in the worktree. Throws nothing: a path that cannot be moved
 * is {@linkplain SettlementProgress#stuck stuck}.
 */
final class Repairer {
    private static final Logger LOG = LateLogger.of(Repairer.class);

    /** An index is the largest file of a git directory that is judged by its content. */
    private static final long MAX_DETACHED = 256L << 20;

    /** The kernel's limit is 4095 bytes; leaves room for names below the directory. */
    private static final int MAX_PATH_LENGTH = 3_800;

    private final GuardedPaths paths;
    private final GuardStore store;
    private final Removal removal;
    private final SettlementProgress progress;

    Repairer(GuardedPaths paths, GuardStore store, SettlementProgress progress) {
        this.paths = paths;
        this.store = store;
        this.progress = progress;
        this.removal = new Removal(store);
    }

    /**
     * Settles each finding before the next one is computed: an index is judged by the restored configuration. An
     * iterator would compute several ahead.
     *
     * @return whether anything was changed, so that another examination must confirm the result
     */
    boolean settle(Stream<? extends WorktreeFinding> findings) {
        AtomicBoolean changed = new AtomicBoolean();
        findings.forEachOrdered(finding -> {
            if (settle(finding)) {
                changed.set(true);
            }
        });
        return changed.get();
    }

    private boolean settle(WorktreeFinding finding) {
        Path path = finding.path();
        return switch (finding) {
            case WorktreeFinding.Judged judged -> !progress.isGivenUp(path) && settle(judged);
            case WorktreeFinding.Closed closed -> !progress.isGivenUp(path) && unlock(path);
            case WorktreeFinding.Opened opened -> closeToOthers(path, opened.bits());
            case WorktreeFinding.SetId program -> clearSetId(path);
            case WorktreeFinding.Lost lost -> reportLost(path, lost.originals());
            case WorktreeFinding.Unexamined unexamined -> {
                progress.stick(path, unexamined.reason());
                yield false;
            }
            case WorktreeFinding.Remark remark -> {
                progress.report(remark.sentence());
                yield false;
            }
        };
    }

    private boolean settle(WorktreeFinding.Judged judged) {
        Path path = judged.path();
        boolean moved = switch (judged.verdict()) {
            case Verdict.Allowed allowed -> false;
            case Verdict.Reported reported -> {
                progress.report("The command changed '" + PathBytes.escaped(path) + "': " + reported.reason() + ".");
                yield false;
            }
            case Verdict.Quarantined quarantined -> quarantine(path, quarantined.reason());
            case Verdict.Restored restored -> restore(path, restored.reason());
            case Verdict.Replaced replaced -> replace(path, replaced.reason(), replaced.content());
        };
        return moved || (judged.shared() && detach(path));
    }

    /**
     * Quarantines a file or directory that a command has created.
     *
     * @param reason a clause
     * @return whether anything was moved
     */
    private boolean quarantine(Path path, String reason) {
        if (progress.giveUpIfAmbiguous(path)) {
            return false;
        }
        Optional<String> removed = remove(path);
        removed.ifPresent(where -> progress.report(
                "The command created the protected path '" + PathBytes.escaped(path) + "': " + reason + "." + where));
        return removed.isPresent();
    }

    /** Quarantines a file that a command has created, and writes a new file to its path. */
    private boolean replace(Path path, String reason, String content) {
        if (progress.giveUpIfAmbiguous(path)) {
            return false;
        }
        Optional<String> removed = remove(path);
        if (removed.isEmpty()) {
            return false;
        }
        Path directory = Pinned.parentOf(path);
        String failed = "";
        try (Pinned parent = Pinned.unlockedDirectory(paths.territory(path), directory)) {
            Files.writeString(
                    parent.at(path.getFileName()),
                    content,
                    StandardCharsets.ISO_8859_1,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (IOException fault) {
            failed = " A file without them could not be written: " + FileFaults.reason(fault) + ".";
        }
        progress.report("The command created '" + PathBytes.escaped(path) + "': " + reason + "." + removed.get()
                + (failed.isEmpty() ? " A file without them took its place." : failed));
        return true;
    }

    /**
     * Quarantines a file or directory that a command has changed, and restores the original.
     *
     * @param reason a clause
     * @return whether anything was changed
     */
    private boolean restore(Path path, String reason) {
        // Restore the original even to an empty path: a killed settlement may have only moved the file.
        if (!EntryState.of(path).is(EntryState.Kind.ABSENT) && progress.giveUpIfAmbiguous(path)) {
            return false;
        }
        String removed = remove(path).orElse("");
        if (progress.isStuck(path)) {
            return false;
        }
        String lost = store.original(path)
                .map(original -> putBack(original, path))
                .orElse("no copy of it could be kept, because it is too large or could not be read");
        if (!lost.isEmpty()) {
            progress.giveUp(path);
        }
        progress.report(
                "The protected path '" + PathBytes.escaped(path) + "' was changed while a command ran: " + reason
                        + "." + removed
                        + (lost.isEmpty()
                                ? " The original was restored; if the change was your own, make it again."
                                : " The original could not be restored: " + lost
                                        + ". Restore it before you use git or an editor there."));
        return true;
    }

    /**
     * Replaces a file with a copy, so that changes through its other name do not affect it.
     *
     * @return whether that was done, or else the file was moved
     */
    private boolean detach(Path path) {
        if (progress.giveUpIfAmbiguous(path)) {
            return false;
        }
        Path fresh = Path.of(".paddock-" + UUID.randomUUID());
        try (Pinned parent = Pinned.unlockedDirectory(paths.territory(path), Pinned.parentOf(path));
                Pinned file = parent.child(path.getFileName())) {
            try {
                Trees.copy(file, parent, fresh, new Trees.Budget(MAX_DETACHED, 1));
                Files.move(parent.at(fresh), parent.at(path.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(parent.at(fresh));
            }
            progress.report(
                    "The file '" + PathBytes.escaped(path) + "' was changed and has a second name. A copy replaced it,"
                            + " so that changes by that name do not reach it.");
            return true;
        } catch (NoSuchFileException | NotDirectoryException removed) {
            return true; // by a live command; the next pass checks
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "{0} cannot be replaced by a copy: {1}", path, fault.getMessage());
            return quarantine(path, PathExaminer.SECOND_NAME);
        }
    }

    /**
     * Reports that a git directory is not the one from before the commands.
     *
     * @param originals the files in it that are restored if the commands change them
     */
    private boolean reportLost(Path directory, Collection<Path> originals) {
        if (!progress.covers(directory)) {
            return false;
        }
        StringBuilder missing = new StringBuilder("its objects and refs");
        originals.stream()
                .filter(path -> EntryState.of(path).is(EntryState.Kind.ABSENT))
                .sorted()
                .forEach(path -> missing.append(", '")
                        .append(PathBytes.escaped(directory.relativize(path)))
                        .append('\''));
        progress.report("The git directory '" + PathBytes.escaped(directory)
                + "' was removed, moved or replaced. Not restored: " + missing
                + ". Restore them before you use git there: without them git finds no repository in this directory,"
                + " or another one, in a directory above or behind a link.");
        return false;
    }

    /** Makes a directory readable that a command made unreadable, with those below it. */
    private boolean unlock(Path directory) {
        if (PathBytes.of(directory).length() > MAX_PATH_LENGTH) {
            return quarantine(directory, "it lies too deep to be searched for repositories");
        }
        try (Pinned closed = Pinned.unlockedDirectory(paths.territory(directory), directory)) {
            Trees.open(closed);
            progress.report(
                    "The directory '" + PathBytes.escaped(directory) + "' could not be searched for repositories."
                            + " Its owner was given all permissions on it and on closed directories in it.");
            return true;
        } catch (NoSuchFileException | NotDirectoryException removed) {
            return true; // by a live command; the next search checks
        } catch (IOException fault) {
            return quarantine(directory, "it cannot be searched for repositories (" + FileFaults.reason(fault) + ")");
        }
    }

    /** Clears a file's set-user-id and set-group-id bits, unless it has a second name. */
    private boolean clearSetId(Path path) {
        if (!progress.covers(path)) {
            return false;
        }
        String program = "The command gave '" + PathBytes.escaped(path)
                + "' the set-user-id or set-group-id bit, so that it runs as its owner or group; ";
        try (Pinned parent = Pinned.unlockedDirectory(paths.territory(path), Pinned.parentOf(path));
                Pinned file = parent.child(path.getFileName())) {
            String stays = Objects.equals(Files.getAttribute(file.path(), "unix:nlink"), 1)
                    ? progress.isLaterThanTheCommands(path) ? "it was changed after that session, and stays" : ""
                    : "it has a second name and stays";
            if (stays.isEmpty() && file.attributes().isRegularFile()) {
                file.setPermissions(file.attributes().permissions());
            }
            progress.report(program + (stays.isEmpty() ? "the bits were cleared." : stays + "; review it."));
        } catch (NoSuchFileException | NotDirectoryException removed) {
            LOG.log(Level.DEBUG, "{0} is gone already", path);
        } catch (IOException fault) {
            progress.report(program + "they cannot be cleared (" + FileFaults.reason(fault) + "); remove the file.");
        }
        return false;
    }

    /**
     * Revokes write permission of the group and others in directories of a git directory where commands granted it.
     *
     * @param opened the bits of the mode to clear, by path from the git directory
     */
    private boolean closeToOthers(Path gitDirectory, Map<Path, Integer> opened) {
        String opening = "The command let other users of this machine write to '" + PathBytes.escaped(gitDirectory)
                + "', or to directories in it, where they can leave programs that git runs; ";
        try {
            for (Map.Entry<Path, Integer> entry : opened.entrySet()) {
                Path path = gitDirectory.resolve(entry.getKey()).normalize();
                try (Pinned directory = Pinned.unlockedDirectory(paths.territory(path), path)) {
                    directory.clearModeBits(entry.getValue());
                }
            }
            progress.report(opening + "that permission was withdrawn.");
        } catch (NoSuchFileException | NotDirectoryException removed) {
            LOG.log(Level.DEBUG, "{0} is gone already", removed.getMessage());
        } catch (IOException fault) {
            progress.report(opening + "it cannot be withdrawn (" + FileFaults.reason(fault) + "); change the mode.");
        }
        return false;
    }

    /** Returns why the original could not be copied; empty if it is back. */
    private String putBack(Path original, Path path) {
        Path directory = Pinned.parentOf(path);
        try (Pinned parent = Pinned.unlockedNewDirectory(paths.territory(path), directory)) {
            GuardStore.duplicate(original, parent, path.getFileName());
            return "";
        } catch (IOException fault) {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    ? "a live command writes there"
                    : FileFaults.reason(fault);
        }
    }

    /**
     * Removes the file or directory at a path.
     *
     * @return its new path, as a sentence; empty if it did not exist or is {@linkplain SettlementProgress#stuck stuck}
     */
    private Optional<String> remove(Path path) {
        if (!progress.countRemoval(path)) {
            return Optional.empty();
        }
        return switch (removal.remove(paths.territory(path), path)) {
            case Removal.Absent absent -> Optional.empty();
            case Removal.Moved moved ->
                Optional.of(" The new version was moved to '" + PathBytes.escaped(moved.to()) + "'.");
            case Removal.SetAside aside -> {
                progress.giveUpBelow(aside.to());
                yield Optional.of(" The new version was renamed to '" + PathBytes.escaped(aside.to()) + "', since "
                        + aside.why() + ".");
            }
            case Removal.Stuck left -> {
                progress.stick(path, left.why());
                yield Optional.empty();
            }
        };
    }
}
