package dev.paddock.executor.worktree.journal;

import dev.paddock.executor.os.table.OwnerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The sessions that use one journal, and which of them have live commands. A file has a slot for each session: the
 * session locks it, and the kernel releases the lock however the process exits; while commands are live, it stores the
 * time of its last heartbeat there. So an unlocked slot with a time belongs to a session that was killed in a command.
 *
 * <p>All methods but {@link #beat} are called between {@link #lock} and {@link #unlock}.
 */
public final class Sessions implements AutoCloseable {
    private static final String FILE = "sessions";
    private static final String OWNER = "owner-";
    private static final int HEADER = 2 * Long.BYTES;
    private static final int SLOT = Long.BYTES;
    private static final int MAX_SESSIONS = 256;

    /** A byte after all slots; locking it excludes other processes. */
    private static final long MUTEX = 1 << 20;

    private static final long REMOVED = -1;
    private static final int NO_SLOT = -1;
    private static final long PATIENCE_SECONDS = 30;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SharedFile file;
    private int slot = NO_SLOT;
    private Optional<FileLock> alive = Optional.empty();
    private Optional<FileLock> exclusive = Optional.empty();
    private boolean live;

    /**
     * The state of a journal.
     *
     * @param generation the number of the recorded baseline
     * @param joined how often a session has begun a command while another one's was live
     * @param othersLive whether commands of other sessions are live
     * @param deadBeat the last beat of the sessions that were killed in a command, in milliseconds since 1970; 0 if
     *     there are none
     * @param dead the records of these sessions
     */
    public record View(long generation, long joined, boolean othersLive, long deadBeat, Set<Owner> dead) {

        /** The view of an unused journal. */
        public static final View NONE = new View(0, 0, false, 0, Set.of());
    }

    /**
     * A session's record about itself.
     *
     * @param file the record's file
     * @param jvm its JVM, as {@code OwnerId} writes it
     * @param notes a line each, in the order of {@link Sessions#note}
     */
    public record Owner(Path file, String jvm, List<String> notes) {

        private static Owner read(Path file) throws IOException {
            List<String> lines = Files.readAllLines(file);
            return new Owner(
                    file, lines.isEmpty() ? "" : lines.get(0), lines.subList(Math.min(1, lines.size()), lines.size()));
        }
    }

    private Sessions(SharedFile file) {
        this.file = file;
    }

    /** Returns whether a directory has a table of sessions, as every journal has. */
    public static boolean areIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Adds a session.
     *
     * @param directory the journal's directory; created with mode 0700 if it does not exist
     * @return the session; the caller closes it
     * @throws IOException if the files cannot be written, or there are too many sessions
     */
    public static Sessions open(Path directory) throws IOException {
        while (true) {
            SharedFile file;
            try {
                JournalDirectory.create(directory);
                file = SharedFile.acquire(directory.resolve(FILE), true);
            } catch (NoSuchFileException removed) {
                continue; // it is the first journal, or the last session has just removed this one
            }
            Sessions session = new Sessions(file);
            boolean claimed = false;
            try {
                claimed = session.isClaimed();
            } finally {
                if (!claimed) {
                    session.close();
                }
            }
            if (claimed) {
                return session;
            }
        }
    }

    /**
     * Opens the table without adding a session: the caller locks and reads it, and other sessions may remove it.
     *
     * @param directory the journal's directory
     * @return the table; the caller closes it
     * @throws NoSuchFileException if it does not exist
     */
    public static Sessions observe(Path directory) throws IOException {
        return new Sessions(SharedFile.acquire(directory.resolve(FILE), false));
    }

    /** Returns whether the last session has removed the journal since this table was opened. */
    public boolean isRemoved() throws IOException {
        return table().getLong(0) == REMOVED || !file.isInPlace();
    }

    /** Takes a slot; false if the directory is removed. */
    private boolean isClaimed() throws IOException {
        lock();
        try {
            ByteBuffer table = table();
            if (table.getLong(0) == REMOVED) {
                if (file.isInPlace()) {
                    // Its marker held the lock, and was killed before it had deleted all.
                    JournalDirectory.delete(file.path());
                }
                return false;
            }
            for (int free = 0; free < MAX_SESSIONS && alive.isEmpty(); free++) {
                if (beat(table, free) == 0) {
                    alive = file.tryLock(position(free));
                    slot = free;
                }
            }
            if (alive.isPresent()) {
                write(position(slot), 0); // in the table before others read it
            }
        } finally {
            unlock();
        }
        if (alive.isEmpty()) {
            throw new IOException(
                    MAX_SESSIONS + " sessions use the journal '" + file.path() + "', the most there may be: end some");
        }
        Files.writeString(owner(slot), OwnerId.current() + "\n");
        return true;
    }

    /** Records a line about this session, for the session that settles its changes if it is killed. */
    public void note(String line) throws IOException {
        Files.writeString(owner(slot), line + "\n", StandardOpenOption.APPEND);
    }

    /** Returns the file that names the JVM of a slot's session. */
    private Path owner(int of) {
        return file.path().resolveSibling(OWNER + of);
    }

    /**
     * Excludes all other sessions of the journal, in this JVM and in others.
     *
     * @throws IOException if another session has kept the lock for 30 s
     */
    public void lock() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        boolean interrupted = false;
        while (!isLocked()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("another session has been settling the directory of the journal '" + file.path()
                        + "' for " + PATIENCE_SECONDS + " s; wait for it, or end it");
            }
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isLocked() throws IOException {
        if (!file.mutex().tryLock()) {
            return false;
        }
        try {
            exclusive = file.tryLock(MUTEX);
        } finally {
            if (exclusive.isEmpty()) {
                file.mutex().unlock();
            }
        }
        return exclusive.isPresent();
    }

    public void unlock() throws IOException {
        try {
            if (exclusive.isPresent()) {
                exclusive.get().release();
            }
        } finally {
            exclusive = Optional.empty();
            file.mutex().unlock();
        }
    }

    public View view() throws IOException {
        ByteBuffer table = table();
        boolean othersLive = false;
        long deadBeat = 0;
        Set<Owner> owners = new HashSet<>();
        for (int other = 0; position(other) < table.limit(); other++) {
            long beat = beat(table, other);
            if (other != slot && beat != 0) {
                boolean dead = isFree(other);
                othersLive |= !dead;
                deadBeat = dead ? Math.max(deadBeat, beat) : deadBeat;
                if (dead && Files.exists(owner(other))) {
                    owners.add(Owner.read(owner(other)));
                }
            }
        }
        return new View(table.getLong(0), table.getLong(Long.BYTES), othersLive, deadBeat, owners);
    }

    /** Returns whether no other session uses the journal, and no session has unsettled commands. */
    public boolean isLast() throws IOException {
        ByteBuffer table = table();
        if (beat(table, slot) != 0) {
            return false;
        }
        for (int other = 0; position(other) < table.limit(); other++) {
            if (other != slot && (beat(table, other) != 0 || !isFree(other))) {
                return false;
            }
        }
        return true;
    }

    private boolean isFree(int other) throws IOException {
        Optional<FileLock> taken = file.tryLock(position(other));
        if (taken.isPresent()) {
            taken.get().release();
        }
        return taken.isPresent();
    }

    /**
     * Records that commands of this session are live.
     *
     * @param joining whether commands of another one are, too
     * @param view the state of the journal
     * @return how often sessions have joined, including this one
     */
    public long begin(View view, boolean joining) throws IOException {
        long joined = joining ? join(view) : view.joined();
        synchronized (this) {
            live = true;
            write(position(slot), System.currentTimeMillis());
        }
        return joined;
    }

    /**
     * Records that a session begins a command that can change the directory, while commands of another one are live.
     *
     * @param view the state of the journal
     * @return how often sessions have joined, including this one
     */
    public long join(View view) throws IOException {
        write(Long.BYTES, view.joined() + 1);
        return view.joined() + 1;
    }

    /** Records a heartbeat if commands of this session are live. */
    public synchronized void beat() throws IOException {
        if (live) {
            write(position(slot), System.currentTimeMillis());
        }
    }

    /** Records that no command of this session is live, and its changes are settled. */
    public synchronized void end() throws IOException {
        live = false;
        write(position(slot), 0);
    }

    /** Records that the changes of the killed sessions are settled. */
    public void forgetDead() throws IOException {
        ByteBuffer table = table();
        for (int other = 0; position(other) < table.limit(); other++) {
            if (other != slot && beat(table, other) != 0 && isFree(other)) {
                write(position(other), 0);
            }
        }
    }

    /** Gives the recorded baseline a new number, before it is changed. */
    public long renew(View view) throws IOException {
        write(0, view.generation() + 1);
        return view.generation() + 1;
    }

    /**
     * Deletes the journal's directory, with all files in it. Marks the file first, for sessions that have just opened
     * it.
     */
    public void remove() throws IOException {
        write(0, REMOVED);
        JournalDirectory.delete(file.path());
    }

    /**
     * Frees the slot: of several sessions that leave, one then is the last. If commands of this session are live, it
     * counts as killed from then on.
     */
    public synchronized void leave() throws IOException {
        live = false;
        if (alive.isPresent()) {
            alive.get().release();
            alive = Optional.empty();
        }
    }

    /** Leaves if the session has not, with or without {@link #lock}. */
    @Override
    public void close() throws IOException {
        try {
            leave();
        } finally {
            file.release();
        }
    }

    private ByteBuffer table() throws IOException {
        ByteBuffer read = file.read(HEADER + MAX_SESSIONS * SLOT);
        return read.limit() >= HEADER ? read : ByteBuffer.allocate(HEADER);
    }

    private static long beat(ByteBuffer table, int slot) {
        int position = (int) position(slot);
        return position + SLOT <= table.limit() ? table.getLong(position) : 0;
    }

    private static long position(int slot) {
        return HEADER + (long) slot * SLOT;
    }

    private void write(long position, long value) throws IOException {
        file.write(position, ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }
}
