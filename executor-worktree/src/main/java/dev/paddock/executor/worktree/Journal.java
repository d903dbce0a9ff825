package dev.paddock.executor.worktree;

import dev.paddock.executor.os.io.Heartbeat;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.journal.Sessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The journals of one session: its worktree's, that of the git directory that the worktree shares with others, and
 * those of {@linkplain NeighbourJournals directories inside and around} these. They coordinate all sessions there, and
 * let the next one settle the directories if this one is killed.
 *
 * <p>A session begins and settles commands only while it has locked all of them, which excludes every other session. It
 * takes a baseline only if no other session has live commands there; otherwise it uses the recorded one. A slot in the
 * {@linkplain dev.paddock.executor.worktree.journal.Sessions table} shows a session that was killed in a command; the
 * next session that begins or opens while no other command is live settles the directory against the record. The record
 * of a worktree contains its git directory, too: it decides if a command has replaced that directory.
 *
 * <p>The last session that closes removes the journals, unless one has to be settled.
 */
final class Journal implements AutoCloseable {
    /** Maximum retries because other sessions open or close before the journals are locked. */
    private static final int MAX_ATTEMPTS = 100;

    private final Journals journals;
    private final DirectoryJournal worktree;
    private volatile Optional<DirectoryJournal> common = Optional.empty();
    private String commonIdentity = "";
    private final NeighbourJournals neighbours;

    private final List<SessionContainer> containers = new ArrayList<>();

    /** Records in the journals that commands are live; registered with the heartbeat while they are. */
    private final Heartbeat.Beating beats = this::beat;

    private boolean closed;

    /** The paths whose baseline is another session's. */
    private Predicate<Path> joined = path -> false;

    private Journal(Journals journals, DirectoryJournal worktree, List<Path> roots) {
        this.journals = journals;
        this.worktree = worktree;
        this.neighbours = new NeighbourJournals(journals, roots);
    }

    /** The locks on all journals, which exclude every other session; closing this releases them. */
    static final class Hold implements AutoCloseable {
        private final Deque<DirectoryJournal> held = new ArrayDeque<>();

        @Override
        public void close() {
            while (!held.isEmpty()) {
                held.pop().unlock();
            }
        }
    }

    /**
     * Opens the journals of a worktree.
     *
     * @param journals receives them
     * @param root the worktree
     * @param gitDirectory the git directory that it may share with others; it need not exist
     * @param roots the directories that commands can write to
     */
    static Journal open(Journals journals, Path root, Path gitDirectory, List<Path> roots) throws IOException {
        Set<Path> guarded = new HashSet<>(roots);
        guarded.addAll(List.of(root, gitDirectory));
        journals.sweep(guarded);
        Journal journal = new Journal(journals, DirectoryJournal.open(journals, root), roots);
        try {
            journal.follow(gitDirectory);
            return journal;
        } catch (IOException | RuntimeException fault) {
            journal.close();
            throw fault;
        }
    }

    /** Opens the journal of a git directory that is new or has replaced another. */
    void follow(Path gitDirectory) throws IOException {
        boolean exists = Files.isDirectory(gitDirectory, LinkOption.NOFOLLOW_LINKS);
        String identity = exists ? Baseline.identity(gitDirectory) : "";
        if (!identity.equals(commonIdentity)) {
            Optional<DirectoryJournal> former = common;
            common = Optional.empty();
            commonIdentity = "";
            former.ifPresent(DirectoryJournal::close);
            if (!identity.isEmpty()) {
                DirectoryJournal opened = DirectoryJournal.open(journals, gitDirectory);
                common = Optional.of(opened);
                commonIdentity = identity;
                for (SessionContainer container : containers) {
                    opened.runsIn(container);
                }
            }
        }
    }

    /** Records a container before commands of this session run in it. */
    void runsIn(SessionContainer container) throws IOException {
        for (DirectoryJournal journal : all()) {
            journal.runsIn(container);
        }
        containers.add(container);
    }

    /** Returns the directory for the copies of the protected files. */
    Path directory() {
        return worktree.directory();
    }

    private List<DirectoryJournal> own() {
        List<DirectoryJournal> own = new ArrayList<>(List.of(worktree));
        common.ifPresent(own::add);
        return own;
    }

    /** Returns the journals of which this is a session, outer ones before inner ones. */
    private List<DirectoryJournal> all() {
        List<DirectoryJournal> all = own();
        all.addAll(neighbours.inside());
        all.sort(DirectoryJournal::compareDepth);
        return all;
    }

    /**
     * Locks all journals, which excludes every other session; the caller closes the result.
     *
     * @throws IOException if another session keeps a journal locked for too long
     */
    Hold hold() throws IOException {
        Set<Path> own = own().stream().map(DirectoryJournal::directory).collect(Collectors.toSet());
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            neighbours.find(own, containers);
            Hold hold = lock();
            boolean complete = false;
            try {
                complete = neighbours.isComplete(own);
            } finally {
                if (!complete) {
                    hold.close();
                }
            }
            if (complete) {
                return hold;
            }
        }
        throw new IOException("sessions in directories inside or around '" + PathBytes.escaped(worktree.guarded())
                + "' open and close too often to lock their journals; run the command again");
    }

    private Hold lock() throws IOException {
        Hold hold = new Hold();
        List<DirectoryJournal> ordered = all();
        ordered.addAll(neighbours.around());
        // In order, or two sessions could deadlock.
        ordered.sort((one, other) -> one.directory().compareTo(other.directory()));
        try {
            for (DirectoryJournal journal : ordered) {
                journal.lock();
                hold.held.push(journal);
            }
            return hold;
        } catch (IOException | RuntimeException fault) {
            hold.close();
            throw fault;
        }
    }

    /**
     * Reads the records of killed sessions; call it while the journals are locked.
     *
     * @return empty if there is nothing to settle, or commands of other sessions are live there
     * @throws IOException if a record is damaged
     */
    Optional<KilledSessions> unsettled(Territory territory) throws IOException {
        List<KilledSessions.Part> parts = new ArrayList<>();
        Set<Path> accepted = new HashSet<>();
        Set<Sessions.Owner> dead = new HashSet<>();
        all().stream().filter(DirectoryJournal::isKilled).forEach(journal -> dead.addAll(journal.dead()));
        long seenAlive = KilledSessions.end(dead, worktree.guarded(), journals);
        for (DirectoryJournal journal : all()) {
            if (journal.isKilled()) {
                journal.count();
                journal.read(territory);
                parts.add(new KilledSessions.Part(
                        scope(journal), journal.recorded(), journal.recordedAt(), journal.lastBeat()));
                accepted.addAll(journal.accepted());
            }
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(new KilledSessions(parts, accepted, seenAlive));
    }

    /** Returns the paths that a journal applies to and no nested journal does. */
    private Predicate<Path> scope(DirectoryJournal journal) {
        Predicate<Path> scope = journal::covers;
        for (DirectoryJournal inner : all()) {
            if (inner != journal && inner.guarded().startsWith(journal.guarded()) && isLeftTo(inner, journal)) {
                scope = scope.and(path -> !inner.covers(path));
            }
        }
        return scope;
    }

    private boolean isLeftTo(DirectoryJournal inner, DirectoryJournal journal) {
        GitBaseline.State before = journal.recorded().git().get(inner.guarded());
        boolean same = before != null && before.identity().equals(Baseline.identity(inner.guarded()));
        return own().contains(inner) ? same : inner.isKilled() && (same || before == null);
    }

    /**
     * Returns the enclosing directory in which a session was killed, whose changes are not settled; call it while the
     * journals are locked.
     */
    Optional<DirectoryJournal> killedAround() {
        return neighbours.around().stream().filter(DirectoryJournal::isKilled).findFirst();
    }

    /** Returns the worktrees of other sessions inside this session's. */
    Set<Path> nestedWorktrees() {
        return neighbours.inside().stream()
                .map(DirectoryJournal::guarded)
                .filter(guarded -> Journals.worktree(guarded).equals(guarded))
                .collect(Collectors.toSet());
    }

    /**
     * Adds the recorded baseline of directories in which commands of other sessions are live; call it while the
     * journals are locked.
     *
     * @param fresh the present state, without copies
     * @param store receives the recorded copies
     * @return the baseline for the next command, without copies
     */
    Snapshot joined(Snapshot fresh, GuardStore store, Territory territory) {
        Snapshot baseline = fresh;
        joined = path -> false;
        neighbours.left().forEach(store::forget);
        try {
            for (DirectoryJournal outer : neighbours.around()) {
                if (outer.isJoined()) {
                    outer.read(territory);
                    Predicate<Path> scope = decides(outer, fresh).and(this::isOwn);
                    Snapshot part = outer.recorded().of(scope);
                    store.adopt(part.originals(), part.states());
                    baseline = baseline.with(scope, part);
                    joined = joined.or(scope);
                }
            }
            for (DirectoryJournal journal : all()) {
                boolean read = journal.read(territory);
                if (read) {
                    store.forget(journal.directory());
                }
                if (read || journal.isJoined()) {
                    store.adopt(
                            journal.recorded().originals(), journal.recorded().states());
                }
                if (journal.isJoined()) {
                    Predicate<Path> scope = decides(journal, fresh);
                    baseline = baseline.with(scope, journal.recorded());
                    joined = joined.or(scope);
                }
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(FileFaults.reason(fault), fault);
        }
        return baseline;
    }

    private Predicate<Path> decides(DirectoryJournal journal, Snapshot fresh) {
        Set<Path> worktrees = new HashSet<>(nestedWorktrees());
        worktrees.add(worktree.guarded());
        return journal.recorded().decides(journal.guarded(), fresh, worktrees);
    }

    boolean isJoined(Path path) {
        return joined.test(path);
    }

    /** Returns whether commands of another session have been live since the last begin. */
    boolean isShared() {
        return all().stream().anyMatch(DirectoryJournal::isShared) || isJoinedAround();
    }

    /** Returns whether commands of another session are live where this session's may write. */
    boolean hasLiveOthers() {
        return all().stream().anyMatch(DirectoryJournal::isJoined) || isJoinedAround();
    }

    private boolean isJoinedAround() {
        return neighbours.around().stream().anyMatch(DirectoryJournal::isJoined);
    }

    private boolean isOwn(Path path) {
        return own().stream().anyMatch(journal -> journal.covers(path));
    }

    /**
     * Records that commands are about to be live, and their baseline; call it while the journals are locked.
     *
     * @param store receives this session's own copies instead of those of an enclosing directory
     */
    void begin(Snapshot snapshot, GuardStore store) {
        try {
            for (DirectoryJournal journal : all()) {
                journal.begin(snapshot);
            }
            for (DirectoryJournal outer : neighbours.around()) {
                if (outer.isJoined()) {
                    outer.join();
                }
            }
            if (isJoinedAround()) {
                own().forEach(journal -> store.adopt(
                        journal.recorded().originals(), journal.recorded().states()));
            }
        } catch (IOException fault) {
            settled();
            throw new UncheckedIOException(
                    "the journal in '" + journals.directory() + "' cannot be written (" + FileFaults.reason(fault)
                            + "): free space there, or set XDG_STATE_HOME to another directory",
                    fault);
        }
        Heartbeat.add(beats);
    }

    void beat() {
        all().forEach(DirectoryJournal::beat);
    }

    /**
     * Records that no command of this session is live and everything is settled; call it while the journals are locked.
     * Throws nothing.
     */
    void settled() {
        Heartbeat.remove(beats);
        own().forEach(DirectoryJournal::settled);
        neighbours.settled();
    }

    /** Closes the journals; the next session settles unsettled changes. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        Heartbeat.remove(beats);
        neighbours.close();
        own().forEach(DirectoryJournal::close);
    }
}
