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
 * The journals of other directories that this session's commands can write to, or whose sessions'
 * commands can write to this session's directories: those inside and those around them.
 *
 * <p>Of a journal inside this is a session like any other: its commands are recorded as live there. A
 * journal around is only locked and read.
 */
final class NeighbourJournals implements AutoCloseable {
    private final Path journals;
    private final List<Path> roots;

    /** The entries of the directory of journals that have been read. */
    private final Set<Path> known = new HashSet<>();

    private volatile List<Inside> inside = List.of();
    private volatile List<DirectoryJournal> around = List.of();

    /** The directories of journals that this session has left, and that may be removed. */
    private final Set<Path> left = new HashSet<>();

    /**
     * Creates an empty set.
     *
     * @param journals the directory of all journals
     * @param roots the directories that the session's commands can write to
     */
    NeighbourJournals(Path journals, List<Path> roots) {
        this.journals = journals;
        this.roots = List.copyOf(roots);
    }

    /** A journal inside, of which this is a session. */
    private static final class Inside {
        final DirectoryJournal journal;

        /** Whether the next settlement of this session settles the directory, too. */
        boolean counted;

        boolean abandoned;

        Inside(DirectoryJournal journal) {
            this.journal = journal;
        }
    }

    /**
     * Opens the journals that have appeared, and closes those that nobody else uses, unless commands of
     * this session are live there. Call it without holding a journal.
     *
     * @param own the directories of this session's own journals
     * @param containers those in which commands of this session run
     * @return whether the journals inside are others than before
     */
    boolean find(Set<Path> own, List<SessionContainer> containers) throws IOException {
        boolean changed = leave(own);
        known.clear();
        List<Inside> nowInside = new ArrayList<>(inside);
        List<DirectoryJournal> nowAround = new ArrayList<>(around);
        try {
            for (Path directory : Journals.in(journals)) {
                if (own.contains(directory)
                        || DirectoryJournal.guarded(directory).isEmpty()) {
                    continue;
                }
                known.add(directory);
                Optional<Path> guarded = neighbour(directory);
                if (guarded.isPresent() && isInside(guarded.get())) {
                    if (nowInside.stream()
                            .noneMatch(one -> one.journal.directory().equals(directory))) {
                        DirectoryJournal opened = DirectoryJournal.open(journals, guarded.get());
                        nowInside.add(new Inside(opened));
                        changed = true;
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
            known.clear(); // so that the check behind the lock looks once more
        } finally {
            nowInside.sort((one, other) -> DirectoryJournal.compareDepth(one.journal, other.journal));
            nowAround.sort(DirectoryJournal::compareDepth);
            inside = List.copyOf(nowInside);
            around = List.copyOf(nowAround);
        }
        return changed;
    }

    /** Closes the journals that are no longer needed. */
    private boolean leave(Set<Path> own) throws IOException {
        List<Inside> stay = new ArrayList<>();
        for (Inside one : inside) {
            if (!one.counted && (one.abandoned || own.contains(one.journal.directory()))) {
                left.add(one.journal.directory());
                one.journal.close();
            } else {
                stay.add(one);
            }
        }
        boolean changed = stay.size() < inside.size();
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
        return changed;
    }

    private static boolean isInPlace(DirectoryJournal journal) {
        return journal.directory().endsWith(Journals.name(journal.guarded()));
    }

    /**
     * Returns whether the journals that are locked are all that matter; call it while holding them.
     *
     * @param own as with {@link #find}
     */
    boolean isComplete(Set<Path> own) throws IOException {
        boolean complete = true;
        for (Inside one : inside) {
            one.abandoned = !one.counted && (one.journal.isAbandoned() || !isInPlace(one.journal));
            complete &= !one.abandoned;
        }
        for (DirectoryJournal journal : around) {
            complete &= !journal.isRemoved();
        }
        for (Path directory : Journals.in(journals)) {
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

    /** A worktree's sessions use the journal of its {@code .git}, too, which decides on it. */
    private static boolean isAround(Path guarded, Path root) {
        return root.startsWith(guarded) && !root.equals(guarded) && !root.equals(guarded.resolve(".git"));
    }

    /** Returns the journals inside, outer ones before those in them. */
    List<DirectoryJournal> inside() {
        return inside.stream().map(one -> one.journal).toList();
    }

    /** Returns the journals around, outer ones before those in them. */
    List<DirectoryJournal> around() {
        return around;
    }

    /** Returns those inside that the next settlement settles. */
    List<DirectoryJournal> counted() {
        return inside.stream()
                .filter(one -> one.counted)
                .map(one -> one.journal)
                .toList();
    }

    /** Makes the next settlement settle a directory. */
    void count(DirectoryJournal journal) {
        inside.stream().filter(one -> one.journal == journal).forEach(one -> one.counted = true);
    }

    /** Records that everything is settled, and no command of this session is live. */
    void settled() {
        counted().forEach(DirectoryJournal::settled);
        inside.forEach(one -> one.counted = false);
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
        inside.forEach(one -> one.journal.close());
        inside = List.of();
    }
}
