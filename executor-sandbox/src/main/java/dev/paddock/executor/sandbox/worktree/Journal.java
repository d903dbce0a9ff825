package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.process.io.DaemonThreads;
import dev.paddock.executor.sandbox.worktree.git.Territory;
import dev.paddock.executor.sandbox.worktree.journal.Sessions;
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
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The journals of one session: its worktree's, and that of the git directory that the worktree
 * shares with others. They coordinate all sessions of the two, and let the next one settle them if
 * this one is killed.
 *
 * <p>A session begins and settles commands only while it holds both journals, which excludes every
 * other session. It takes a baseline only if no other session has live commands there; otherwise it
 * uses the recorded one. A session that was killed in a command is recognized by its slot in the
 * {@linkplain dev.paddock.executor.sandbox.worktree.journal.Sessions table}; the next session that
 * begins or opens while no other command is live settles the directory against the record. The
 * record of a worktree contains its git directory, too: it decides if a command has put another git
 * directory in its place.
 *
 * <p>The last session that closes removes the journals, unless one has to be settled.
 */
final class Journal implements AutoCloseable {
    private static final long BEAT_SECONDS = 2;

    private final JournalPlace place;
    private final DirectoryJournal worktree;
    private volatile Optional<DirectoryJournal> common = Optional.empty();
    private String commonIdentity = "";

    /** The containers in which this session runs commands. */
    private final List<SessionContainer> containers = new ArrayList<>();

    /** The baseline that all records have. */
    private Optional<Snapshot> recorded = Optional.empty();

    private @Nullable ScheduledThreadPoolExecutor clock;
    private @Nullable ScheduledFuture<?> beats;
    private boolean closed;

    /** Whether a record was read when the last baseline was taken. */
    private boolean renewed;

    private Journal(JournalPlace place, DirectoryJournal worktree) {
        this.place = place;
        this.worktree = worktree;
    }

    /**
     * The changes in one directory that killed sessions have not settled.
     *
     * @param scope the paths that the snapshot decides on
     * @param since a time after the snapshot and before the commands, in milliseconds since 1970
     * @param lastBeat when the commands were live for certain, in milliseconds since 1970
     */
    private record Part(Predicate<Path> scope, Snapshot snapshot, long since, long lastBeat) {}

    /**
     * The changes that killed sessions have not settled.
     *
     * @param accepted the paths whose state the user has accepted since
     * @param seenAlive when processes of the commands were still there, in milliseconds since 1970; 0
     *     if none were
     */
    record Unsettled(List<Part> parts, Set<Path> accepted, long seenAlive) {

        /** Returns whether a path has to be settled. */
        boolean covers(Path path) {
            return parts.stream().anyMatch(part -> part.scope().test(path));
        }

        /** Returns a time before all commands, in milliseconds since 1970. */
        long since() {
            return parts.stream().mapToLong(Part::since).min().orElse(0);
        }

        /** Returns when commands that could change a path were live for certain. */
        long lastBeat(Path path) {
            return parts.stream().filter(part -> part.scope().test(path)).mapToLong(Part::lastBeat).max().stream()
                    .map(beat -> Math.max(beat, seenAlive))
                    .findFirst()
                    .orElse(0);
        }

        /** Returns the last baseline. */
        Snapshot snapshot() {
            return parts.stream().map(part -> part.snapshot().of(part.scope())).reduce(Snapshot.NONE, Snapshot::and);
        }
    }

    /** The exclusion of all other sessions. */
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
     * @param place where all journals are
     * @param root the worktree
     * @param gitDirectory the git directory that it may share with others; it need not exist
     */
    static Journal open(JournalPlace place, Path root, Path gitDirectory) throws IOException {
        Journals.sweep(place.directory(), root);
        Journal journal = new Journal(place, DirectoryJournal.open(place.directory(), root));
        try {
            journal.follow(gitDirectory);
            return journal;
        } catch (IOException | RuntimeException fault) {
            journal.close();
            throw fault;
        }
    }

    /** Opens the journal of a git directory that has taken the place of another, or is new. */
    void follow(Path gitDirectory) throws IOException {
        boolean exists = Files.isDirectory(gitDirectory, LinkOption.NOFOLLOW_LINKS);
        String identity = exists ? Baseline.identity(gitDirectory) : "";
        if (!identity.equals(commonIdentity)) {
            Optional<DirectoryJournal> former = common;
            common = Optional.empty();
            commonIdentity = "";
            recorded = Optional.empty();
            former.ifPresent(DirectoryJournal::close);
            if (!identity.isEmpty()) {
                DirectoryJournal opened = DirectoryJournal.open(place.directory(), gitDirectory);
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

    private List<DirectoryJournal> all() {
        List<DirectoryJournal> all = new ArrayList<>(List.of(worktree));
        common.ifPresent(all::add);
        return all;
    }

    /**
     * Excludes all other sessions; the caller closes the result.
     *
     * @throws IOException if another one holds a journal for too long
     */
    Hold hold() throws IOException {
        Hold hold = new Hold();
        List<DirectoryJournal> ordered = all();
        // In order, or two sessions could wait for each other.
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
     * Reads the records of killed sessions; call it while holding the journals.
     *
     * @return empty if there is nothing to settle, or commands of other sessions are live there
     * @throws IOException if a record is damaged
     */
    Optional<Unsettled> unsettled(Territory territory) throws IOException {
        List<Part> parts = new ArrayList<>();
        Set<Path> accepted = new HashSet<>();
        Set<Sessions.Owner> dead = new HashSet<>();
        all().stream().filter(DirectoryJournal::isKilled).forEach(journal -> dead.addAll(journal.dead()));
        long seenAlive = KilledSessions.end(dead, worktree.guarded(), place.ended());
        for (DirectoryJournal journal : all()) {
            if (journal.isKilled()) {
                journal.read(territory);
                parts.add(new Part(scope(journal), journal.recorded(), journal.recordedAt(), journal.lastBeat()));
                accepted.addAll(journal.accepted());
            }
        }
        return parts.isEmpty() ? Optional.empty() : Optional.of(new Unsettled(parts, accepted, seenAlive));
    }

    /** Returns the paths that a journal decides on, and not the one of the shared git directory. */
    private Predicate<Path> scope(DirectoryJournal journal) {
        Optional<DirectoryJournal> other = common.filter(open -> open != journal);
        if (other.isEmpty()) {
            return journal::covers;
        }
        DirectoryJournal shared = other.get();
        GitBaseline.State before = journal.recorded().git().get(shared.guarded());
        boolean known = before != null && before.identity().equals(Baseline.identity(shared.guarded()));
        return path -> journal.covers(path) && !(known && shared.covers(path));
    }

    /**
     * Adds the recorded baseline of directories in which commands of other sessions are live; call
     * it while holding the journals.
     *
     * @param fresh the present state, without copies
     * @param store receives the recorded copies
     * @return the baseline for the next command, without copies
     */
    Snapshot joined(Snapshot fresh, GuardStore store, Territory territory) {
        Snapshot baseline = fresh;
        try {
            renewed = false;
            for (DirectoryJournal journal : all()) {
                boolean read = journal.read(territory);
                renewed |= read;
                if (read) {
                    store.forget(journal.directory());
                }
                if (read || journal.isJoined()) {
                    store.adopt(
                            journal.recorded().originals(), journal.recorded().states());
                    recorded = Optional.empty();
                }
                if (journal.isJoined()) {
                    baseline = baseline.with(journal::covers, journal.recorded());
                }
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(FileFaults.reason(fault), fault);
        }
        return baseline;
    }

    /** Returns whether another session had changed a record since this one read it, or a copy. */
    boolean isRenewed() {
        return renewed;
    }

    /** Returns whether a path's baseline is the one of another session. */
    boolean isJoined(Path path) {
        return all().stream().anyMatch(journal -> journal.isJoined() && journal.covers(path));
    }

    /** Returns whether commands of another session have been live since the last begin. */
    boolean isShared() {
        return worktree.isShared() || common.filter(DirectoryJournal::isShared).isPresent();
    }

    /**
     * Records that commands are about to be live, and their baseline; call it while holding the
     * journals.
     */
    void begin(Snapshot snapshot) {
        try {
            boolean same = recorded.filter(snapshot::isRecordedBy).isPresent();
            for (DirectoryJournal journal : all()) {
                journal.begin(snapshot, same);
            }
            if (!same && all().stream().noneMatch(DirectoryJournal::isJoined)) {
                recorded = Optional.of(snapshot);
            }
        } catch (IOException fault) {
            settled();
            throw new UncheckedIOException(
                    "the journal in '" + place.directory() + "' cannot be written (" + FileFaults.reason(fault)
                            + "): free space there, or set XDG_STATE_HOME to another directory",
                    fault);
        }
        if (clock == null) {
            clock = new ScheduledThreadPoolExecutor(
                    1, DaemonThreads.platform("paddock-journal").factory());
            beats = clock.scheduleAtFixedRate(this::beat, BEAT_SECONDS, BEAT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Records that the live commands still live. */
    void beat() {
        all().forEach(DirectoryJournal::beat);
    }

    /**
     * Records that no command of this session is live and everything is settled; call it while
     * holding the journals. Throws nothing.
     */
    void settled() {
        all().forEach(DirectoryJournal::settled);
    }

    /**
     * Closes the journals; the next session settles the changes that are not settled. A second call
     * does nothing.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (clock != null && beats != null) {
            beats.cancel(false);
            clock.shutdownNow();
        }
        all().forEach(DirectoryJournal::close);
    }
}
