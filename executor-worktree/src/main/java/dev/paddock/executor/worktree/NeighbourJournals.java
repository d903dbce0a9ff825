package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.journal.Sessions;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The journals of other directories that this session's commands can write to, or whose sessions' commands can write to
 * this session's directories: nested and enclosing ones.
 *
 * <p>This session registers with each nested journal, which records its commands as live. A journal of an enclosing
 * directory is only locked and read.
 */
final class NeighbourJournals implements AutoCloseable {
    private final Journals journals;
    private final List<Path> roots;

    /** The entries of the directory of journals that have been read. */
    private final Set<Path> known = new HashSet<>();

    private volatile List<DirectoryJournal> inside = List.of();
    private volatile List<DirectoryJournal> around = List.of();

    /** The nested journals that no other session used at the last {@link #isComplete}. */
    private final Set<DirectoryJournal> abandoned = new HashSet<>();

    /** The directories of journals that this session left and that may be removed. */
    private final Set<Path> left = new HashSet<>();

    /**
     * Creates an empty set.
     *
     * @param roots the directories that the session's commands can write to
     */
    NeighbourJournals(Journals journals, List<Path> roots) {
        this.journals = journals;
        this.roots = List.copyOf(roots);
    }

    /**
     * Opens new journals, and closes those that nobody else uses, unless commands of this session are live there. Call
     * it while no journal is locked.
     *
     * @param own the directories of this session's own journals
     * @param containers those in which commands of this session run
     */
    void find(Set<Path> own, List<SessionContainer> containers) throws IOException {
        leave(own);
        known.clear();
        List<DirectoryJournal> nowInside = new ArrayList<>(inside);
        List<DirectoryJournal> nowAround = new ArrayList<>(around);
        try {
            for (Path directory : journals.all()) {
                if (own.contains(directory)
                        || DirectoryJournal.guarded(directory).isEmpty()) {
                    continue;
                }
                known.add(directory);
                Optional<Path> guarded = neighbour(directory);
                if (guarded.isPresent() && isInside(guarded.get())) {
                    if (nowInside.stream()
                            .noneMatch(journal -> journal.directory().equals(directory))) {
                        DirectoryJournal opened = DirectoryJournal.open(journals, guarded.get());
                        nowInside.add(opened);
                        for (SessionContainer container : containers) {
                            opened.runsIn(container);
                        }
                    }
                } else if (guarded.isPresent()
                        && nowAround.stream()
                                .noneMatch(journal -> journal.directory().equals(directory))) {
                    nowAround.add(DirectoryJournal.observe(directory, guarded.get()));
                }
            }
        } catch (NoSuchFileException removed) {
            known.clear(); // so that the check under the lock reads them again
        } finally {
            nowInside.sort(DirectoryJournal::compareDepth);
            nowAround.sort(DirectoryJournal::compareDepth);
            inside = List.copyOf(nowInside);
            around = List.copyOf(nowAround);
        }
    }

    private void leave(Set<Path> own) throws IOException {
        List<DirectoryJournal> stay = new ArrayList<>();
        for (DirectoryJournal journal : inside) {
            if (!journal.isCounted() && (abandoned.contains(journal) || own.contains(journal.directory()))) {
                left.add(journal.directory());
                journal.close();
            } else {
                stay.add(journal);
            }
        }
        inside = List.copyOf(stay);
        List<DirectoryJournal> observed = new ArrayList<>();
        for (DirectoryJournal journal : around) {
            if (journal.isRemoved() || !isInPlace(journal)) {
                journal.stopObserving();
            } else {
                observed.add(journal);
            }
        }
        around = List.copyOf(observed);
    }

    private static boolean isInPlace(DirectoryJournal journal) {
        return journal.directory().endsWith(Journals.name(journal.guarded()));
    }

    /**
     * Returns whether all relevant journals are locked; call it while they are locked.
     *
     * @param own as with {@link #find}
     */
    boolean isComplete(Set<Path> own) throws IOException {
        boolean complete = true;
        abandoned.clear();
        for (DirectoryJournal journal : inside) {
            if (!journal.isCounted() && (journal.isAbandoned() || !isInPlace(journal))) {
                abandoned.add(journal);
                complete = false;
            }
        }
        for (DirectoryJournal journal : around) {
            complete &= !journal.isRemoved();
        }
        for (Path directory : journals.all()) {
            complete &= known.contains(directory)
                    || own.contains(directory)
                    || neighbour(directory).isEmpty();
        }
        return complete;
    }

    /** Returns the directory of a journal if it is a neighbour; empty also if it no longer exists. */
    private Optional<Path> neighbour(Path directory) throws IOException {
        return DirectoryJournal.guarded(directory)
                .filter(this::isNeighbour)
                .filter(guarded -> directory.endsWith(Journals.name(guarded)) && Sessions.areIn(directory));
    }

    private boolean isNeighbour(Path guarded) {
        return isInside(guarded) || roots.stream().anyMatch(root -> isAround(guarded, root));
    }

    private boolean isInside(Path guarded) {
        return roots.stream().anyMatch(guarded::startsWith);
    }

    /** Excludes a worktree's {@code .git}, whose own journal applies to it. */
    private static boolean isAround(Path guarded, Path root) {
        return root.startsWith(guarded) && !root.equals(guarded) && !root.equals(guarded.resolve(".git"));
    }

    /** Returns the nested journals, outer ones before inner ones. */
    List<DirectoryJournal> inside() {
        return inside;
    }

    /** Returns the enclosing journals, outer ones before inner ones. */
    List<DirectoryJournal> around() {
        return around;
    }

    /** Records that everything is settled, and no command of this session is live. */
    void settled() {
        inside.stream().filter(DirectoryJournal::isCounted).forEach(DirectoryJournal::settled);
    }

    /** Returns the directories of the journals that were closed since the last call. */
    Set<Path> left() {
        Set<Path> closed = Set.copyOf(left);
        left.clear();
        return closed;
    }

    @Override
    public void close() {
        around.forEach(DirectoryJournal::stopObserving);
        around = List.of();
        inside.forEach(DirectoryJournal::close);
        inside = List.of();
    }
}
