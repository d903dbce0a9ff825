package dev.paddock.executor.worktree;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.DirectoryReader;
import dev.paddock.executor.worktree.journal.Sessions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The journals of all worktrees of this user, and of the git directories that they share. */
public final class Journals {
    private static final Logger LOG = LateLogger.of(Journals.class);

    /** How long the journal of a killed session waits for its directory, which may have been moved. */
    private static final Duration MAX_WAIT = Duration.ofDays(90);

    private final Path directory;
    private final Predicate<SessionContainer> ended;
    private final DirectoryCache listings = new DirectoryCache();

    /**
     * Names the directory of the journals.
     *
     * @param directory created if it does not exist
     * @param ended ends a killed session's container whose processes are not visible here, and returns whether it has
     *     ended; false if unknown
     */
    Journals(Path directory, Predicate<SessionContainer> ended) {
        this.directory = directory;
        this.ended = ended;
    }

    static Journals standard(Predicate<SessionContainer> ended) throws IOException {
        return new Journals(PrivateState.root().resolve("journals"), ended);
    }

    Path directory() {
        return directory;
    }

    /** Ends a killed session's container, and returns whether it has ended. */
    boolean end(SessionContainer container) {
        return ended.test(container);
    }

    /**
     * Accepts the state of a path that changed after a session was killed: the next session keeps it and starts
     * commands.
     *
     * @param path an absolute path in a worktree; the worktree itself accepts nothing
     * @return the worktrees and git directories whose journals now accept it; empty if no killed session has left one
     * @throws ExecutorException if the path does not exist, a session is running a command there, or a journal cannot
     *     be written
     */
    public static List<Path> accept(Path path) {
        try {
            return standard(container -> false).acceptIn(path);
        } catch (IOException fault) {
            throw new ExecutorException("'" + path + "' cannot be accepted: " + FileFaults.reason(fault), fault);
        }
    }

    List<Path> acceptIn(Path path) throws IOException {
        if (path.getParent() == null) {
            throw new IOException("it is not in a worktree; give the path that the refusal names");
        }
        Path real = Pinned.parentOf(path).toRealPath().resolve(path.getFileName());
        if (Files.notExists(real, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("there is no such file; give the path that the refusal names");
        }
        List<Path> accepted = new ArrayList<>();
        for (Path journal : all()) {
            Optional<Path> guarded = DirectoryJournal.guarded(journal);
            if (guarded.filter(real::startsWith).isPresent()
                    && journal.endsWith(name(guarded.get()))
                    && isAccepted(guarded.get(), real)) {
                accepted.add(guarded.get());
            }
        }
        accepted.sort(null); // a worktree before its git directory
        return accepted;
    }

    private boolean isAccepted(Path guarded, Path path) throws IOException {
        DirectoryJournal journal = DirectoryJournal.open(this, guarded);
        try {
            journal.lock();
            try {
                if (journal.isJoined()) {
                    throw new IOException("a session in '" + guarded + "' is running a command, or has left files that"
                            + " it could not move; end it first");
                }
                if (!journal.isKilled()) {
                    return false;
                }
                journal.accept(path);
                return true;
            } finally {
                journal.unlock();
            }
        } finally {
            journal.close();
        }
    }

    /**
     * Deletes the journals of directories that no longer exist, and those that name none; anything else stays. The
     * journal of a killed session stays for {@link #MAX_WAIT}, since its directory may have been moved.
     *
     * @param directories a worktree that is about to be guarded, and its git directories
     * @throws IOException if a killed session has left the journal of one of them under another device number
     */
    void sweep(Collection<Path> directories) throws IOException {
        Map<Path, Path> gone = new HashMap<>();
        for (Path journal : all()) {
            Optional<Path> guarded = DirectoryJournal.guarded(journal);
            if (guarded.isEmpty()) {
                if (Sessions.areIn(journal)) {
                    discard(journal);
                }
            } else if (directories.contains(guarded.get()) && isRenumbered(journal, guarded.get())) {
                requireSettled(journal, guarded.get());
            } else if (!journal.endsWith(name(guarded.get()))) {
                gone.put(journal, guarded.get());
            }
        }
        for (Map.Entry<Path, Path> journal : gone.entrySet()) {
            LOG.log(Level.DEBUG, "{0} belongs to a directory that no longer exists", journal.getKey());
            abandon(journal.getKey(), journal.getValue());
        }
    }

    /**
     * Checks a directory that is about to be guarded.
     *
     * @throws IOException if a killed session has left its journal under another path
     */
    void requireUnmoved(Path guarded) throws IOException {
        Path journal = directory.resolve(name(guarded));
        Optional<Path> before = DirectoryJournal.guarded(journal);
        if (before.isPresent() && !before.get().equals(guarded)) {
            requireSettled(journal, before.get());
        }
    }

    private static void requireSettled(Path journal, Path guarded) throws IOException {
        if (isLeft(journal, guarded)) {
            throw new IOException("a session was killed in '" + PathBytes.escaped(guarded)
                    + "', which has been moved since or has another device number, so that its changes cannot"
                    + " be undone: move it back, or examine its git configuration and hooks and remove the"
                    + " journal '" + journal + "'");
        }
    }

    /** Removes the journal of a missing directory, unless a session uses it or it is to wait. */
    private static void abandon(Path directory, Path guarded) throws IOException {
        long overdue = System.currentTimeMillis() - MAX_WAIT.toMillis();
        boolean unused = locked(directory, guarded, journal -> {
            if (!journal.isKilled() || journal.lastBeat() < overdue) {
                journal.settled();
            }
            return true;
        });
    }

    /** Removes an unused journal that names no directory, left by a process killed while creating or removing it. */
    private static void discard(Path directory) throws IOException {
        DirectoryJournal.at(directory, directory).close();
    }

    /** Returns whether a session was killed in a directory, and its changes are not settled. */
    private static boolean isLeft(Path directory, Path guarded) throws IOException {
        return locked(directory, guarded, DirectoryJournal::isKilled);
    }

    private static boolean locked(Path directory, Path guarded, Predicate<DirectoryJournal> action) throws IOException {
        try (DirectoryJournal journal = DirectoryJournal.at(directory, guarded)) {
            journal.lock();
            try {
                return action.test(journal);
            } finally {
                journal.unlock();
            }
        }
    }

    /** Returns whether a directory's file system was mounted under another device number. */
    private static boolean isRenumbered(Path journal, Path guarded) {
        String now = name(guarded);
        String before = journal.getFileName().toString();
        return !before.equals(now)
                && before.substring(before.indexOf('-') + 1).equals(now.substring(now.indexOf('-') + 1));
    }

    static String name(Path guarded) {
        String identity = Baseline.identity(guarded).replace(' ', '-');
        return identity.isEmpty() ? "absent" : identity;
    }

    /**
     * Returns the existing directories with a journal.
     *
     * @return by the journal
     */
    Map<Path, Path> guarded() throws IOException {
        Map<Path, Path> guarded = new HashMap<>();
        for (Path journal : all()) {
            DirectoryJournal.guarded(journal)
                    .filter(path -> journal.endsWith(name(path)))
                    .ifPresent(path -> guarded.put(journal, path));
        }
        return guarded;
    }

    /** Returns the worktree to guard for a directory: the parent of a {@code .git}, or the directory itself. */
    static Path worktree(Path directory) {
        Path above = directory;
        Path worktree = directory;
        while (above.getParent() != null) {
            worktree = above.endsWith(".git") ? above.getParent() : worktree;
            above = above.getParent();
        }
        return worktree;
    }

    /** Returns everything in the directory of the journals; lists it again only if it has changed. */
    synchronized List<Path> all() throws IOException {
        listings.refresh();
        CachedDirectory entries = listings.at(directory);
        List<Path> found = entries.children();
        // If it cannot be read, the second attempt reports why.
        return entries.isLink() || !entries.isReadable() ? DirectoryReader.list(directory) : found;
    }
}
