package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.git.Territory;
import dev.paddock.executor.worktree.journal.Sessions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Set;

/**
 * The journal of one directory that sessions share: a worktree or a git directory. It has a {@linkplain
 * RecordedBaseline record of the baseline} and the table of the sessions.
 *
 * <p>All methods but {@link #beat} are called between {@link #lock} and {@link #unlock}.
 */
final class DirectoryJournal implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(DirectoryJournal.class);
    private static final String GUARDED = "directory";

    private final Path directory;
    private final Path guarded;
    private final Sessions sessions;
    private final RecordedBaseline baseline;
    private Sessions.View view = Sessions.View.NONE;
    private long joined;

    /** Whether the next settlement of this session settles the directory. */
    private boolean counted;

    private DirectoryJournal(Path directory, Path guarded, Sessions sessions) {
        this.directory = directory;
        this.guarded = guarded;
        this.sessions = sessions;
        this.baseline = new RecordedBaseline(directory, guarded);
    }

    /**
     * Opens the journal of a directory; the caller closes it.
     *
     * @throws IOException also if a killed session has left it under another path of the directory
     */
    static DirectoryJournal open(Journals journals, Path guarded) throws IOException {
        journals.requireUnmoved(guarded);
        Path directory = journals.directory().resolve(Journals.name(guarded));
        DirectoryJournal journal = new DirectoryJournal(directory, guarded, Sessions.open(directory));
        try {
            if (!guarded(directory).equals(Optional.of(guarded))) {
                Path fresh = Files.createTempFile(directory, GUARDED, "");
                Files.writeString(fresh, PathBytes.of(guarded), StandardCharsets.ISO_8859_1);
                Files.move(fresh, directory.resolve(GUARDED), StandardCopyOption.ATOMIC_MOVE); // others may read it
            }
            return journal;
        } catch (IOException fault) {
            journal.sessions.close();
            throw fault;
        }
    }

    /** Opens a journal without checking which directory it names; the caller closes it. */
    static DirectoryJournal at(Path directory, Path guarded) throws IOException {
        return new DirectoryJournal(directory, guarded, Sessions.open(directory));
    }

    /**
     * Opens a journal to lock and read it, without registering as a session; the caller calls {@link #stopObserving}.
     *
     * @throws NoSuchFileException if another session has removed it
     */
    static DirectoryJournal observe(Path directory, Path guarded) throws IOException {
        return new DirectoryJournal(directory, guarded, Sessions.observe(directory));
    }

    /** Closes the journal of another session without removing it. */
    void stopObserving() {
        try {
            sessions.close();
        } catch (IOException fault) {
            warn(fault);
        }
    }

    /** Returns whether another session has removed the open journal. */
    boolean isRemoved() throws IOException {
        return sessions.isRemoved();
    }

    /** Returns whether no other session uses the journal and nothing in it needs settling. */
    boolean isAbandoned() throws IOException {
        return sessions.isLast();
    }

    /** Records that this session begins a command while observed sessions may have live ones. */
    void join() throws IOException {
        joined = sessions.join(view);
    }

    /** Returns a journal's directory; empty if the path is no journal, or another session has removed it. */
    static Optional<Path> guarded(Path journal) throws IOException {
        Path file = journal.resolve(GUARDED);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return PathBytes.path(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (NoSuchFileException removed) {
            return Optional.empty();
        }
    }

    static int compareDepth(DirectoryJournal one, DirectoryJournal other) {
        return Integer.compare(one.guarded.getNameCount(), other.guarded.getNameCount());
    }

    Path directory() {
        return directory;
    }

    Path guarded() {
        return guarded;
    }

    boolean covers(Path path) {
        return path.startsWith(guarded);
    }

    /** Excludes the other sessions, and reads the state of the journal. */
    void lock() throws IOException {
        sessions.lock();
        try {
            view = sessions.view();
        } catch (IOException fault) {
            unlock();
            throw fault;
        }
    }

    void unlock() {
        try {
            sessions.unlock();
        } catch (IOException fault) {
            LOG.log(Level.WARNING, "The journal in {0} cannot be unlocked: {1}", directory, FileFaults.reason(fault));
        }
    }

    /** Returns whether another session has live commands, so that its baseline applies. */
    boolean isJoined() {
        return view.othersLive();
    }

    /** Returns whether commands of another session have been live since the last begin. */
    boolean isShared() {
        return view.othersLive() || view.joined() != joined;
    }

    /** Returns whether a session was killed in a command, and its changes are not settled. */
    boolean isKilled() {
        return view.deadBeat() != 0 && !view.othersLive();
    }

    /** Makes the next settlement of this session include the directory, as a command does. */
    void count() {
        counted = true;
    }

    boolean isCounted() {
        return counted;
    }

    /** Returns the last time at which commands of killed sessions were surely live, in ms since 1970. */
    long lastBeat() {
        return view.deadBeat();
    }

    Set<Sessions.Owner> dead() {
        return view.dead();
    }

    void runsIn(SessionContainer container) throws IOException {
        sessions.note(container.line());
    }

    /** Returns a time after the recorded baseline and before the commands, in ms since 1970. */
    long recordedAt() {
        return baseline.recordedAt();
    }

    /** Returns the paths whose state the user has accepted since a session was killed. */
    Set<Path> accepted() {
        return baseline.accepted();
    }

    /** Returns the recorded baseline, with the copies in this directory. */
    Snapshot recorded() {
        return baseline.recorded();
    }

    /**
     * Reads the record if another session may have changed it, or the user accepted a path.
     *
     * @return whether it was read
     */
    boolean read(Territory territory) throws IOException {
        if (baseline.isOf(view.generation()) && !isKilled()) {
            return false;
        }
        baseline.read(view.generation(), isKilled() || isJoined(), territory);
        return true;
    }

    /** Records that commands are about to be live, and the baseline unless another session's is used. */
    void begin(Snapshot all) throws IOException {
        counted = true;
        if (!isJoined()) {
            Snapshot part = all.of(this::covers);
            if (!baseline.has(part)) {
                baseline.write(part, all.originals().values(), () -> sessions.renew(view));
            }
        }
        joined = sessions.begin(view, isJoined());
    }

    void beat() {
        try {
            sessions.beat();
        } catch (IOException fault) {
            warn(fault);
        }
    }

    /**
     * Records that no command of this session is live and the directory is settled. Throws nothing: without the record
     * the next session examines the directory once more.
     */
    void settled() {
        counted = false;
        try {
            sessions.end();
            if (!view.othersLive() && view.deadBeat() != 0) {
                sessions.forgetDead();
            }
        } catch (IOException fault) {
            warn(fault);
        }
    }

    void accept(Path path) throws IOException {
        baseline.accept(path);
    }

    /** Closes the journal, and removes it if no session needs it. */
    @Override
    public void close() {
        try (sessions) {
            lock();
            try {
                if (sessions.isLast()) {
                    sessions.remove();
                }
                sessions.leave(); // first, so that one of two concurrently closing sessions is the last
            } finally {
                unlock();
            }
        } catch (IOException fault) {
            warn(fault);
        }
    }

    private void warn(IOException fault) {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            LOG.log(Level.WARNING, "The journal in {0} cannot be written: {1}", directory, FileFaults.reason(fault));
        }
    }
}
