package dev.paddock.executor.sandbox.worktree.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of a file or a whole directory, in a form that is cheap to compare. The change time
 * (ctime) is part of it: unlike the modification time, no process can set it back. Links are not
 * followed.
 *
 * <p>An equal fingerprint proves that nothing has changed only if it is {@link #conclusive}, and if
 * no process can write through an old shared mapping, which leaves the change time alone.
 *
 * @param state one line for each entry; empty if there is nothing
 * @param identity device and inode; empty if there is nothing
 * @param complete whether every entry could be read
 * @param shared whether a regular file in it has a second name, by which it may be changed from
 *     elsewhere
 * @param newest the latest change time, in milliseconds since 1970
 * @param taken when it was taken
 */
public record Fingerprint(String state, String identity, boolean complete, boolean shared, long newest, long taken) {
    public static final Fingerprint ABSENT = new Fingerprint("", "", true, false, 0, Long.MAX_VALUE);

    /** The states of further entries are represented by their hash, which takes less memory. */
    private static final int MOST_ENTRIES = 50_000;

    /** The entries of a directory with a longer path are read by an open descriptor of it. */
    private static final int LONGEST_PATH = 1_000;

    /** Below a longer path, where the directory cannot be opened in another way. */
    private static final String UNSEEN = " lies too deep to be read";

    /** Takes the fingerprint of a path. Throws nothing: an unreadable entry makes it incomplete. */
    public static Fingerprint of(Path path) {
        long taken = System.currentTimeMillis();
        try (Reader reader = new Reader()) {
            reader.readTree(path);
            return reader.fingerprint(taken);
        }
    }

    // By hand: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that
                && state.equals(that.state)
                && identity.equals(that.identity)
                && complete == that.complete
                && shared == that.shared
                && newest == that.newest
                && taken == that.taken;
    }

    @Override
    public int hashCode() {
        return 31 * state.hashCode() + Long.hashCode(taken);
    }

    public boolean isAbsent() {
        return state.isEmpty();
    }

    /** Returns whether entries may have changed without a trace, since they were not read. */
    public boolean isBlind() {
        return !complete && state.contains(UNSEEN);
    }

    /** Returns whether another fingerprint of the path shows the same state. */
    public boolean matches(Fingerprint other) {
        return state.equals(other.state);
    }

    /**
     * Returns whether a later change must have changed it: everything was read, and nothing had
     * changed within the same tick of the clock.
     */
    public boolean conclusive() {
        return complete && newest + FileStatus.tickOf(newest) < taken;
    }

    /**
     * Reads a tree from its top to its bottom, entry by entry in order. The kernel takes no path of
     * more than 4095 bytes: below longer ones it goes on from an open directory.
     */
    private static final class Reader implements AutoCloseable {
        private final List<String> lines = new ArrayList<>();
        private final Deque<Level> levels = new ArrayDeque<>();
        private String identity = "";
        private boolean complete = true;
        private boolean shared;
        private long newest;
        private long hashed;
        private @Nullable MessageDigest more;

        /** The entries of a directory that are still to be read. */
        private record Level(Iterator<Path> rest, long changed, Optional<Pinned> directory) {}

        /** Adds the state of an entry, after its depth and its name. */
        private void line(String name, String state) {
            String line = levels.size() + " " + name.replace('\n', '\0') + state;
            if (lines.size() < MOST_ENTRIES) {
                lines.add(line);
            } else {
                MessageDigest digest = more == null ? sha256() : more;
                more = digest;
                digest.update(line.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) '\n');
                hashed++;
            }
        }

        String state() {
            String first = String.join("\n", lines);
            return more == null
                    ? first
                    : first + "\n" + hashed + " more " + HexFormat.of().formatHex(more.digest());
        }

        Fingerprint fingerprint(long taken) {
            return lines.isEmpty()
                    ? ABSENT
                    : new Fingerprint(
                            state(), identity, complete, shared, TimeUnit.NANOSECONDS.toMillis(newest), taken);
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible); // every Java platform has it
            }
        }

        void readTree(Path path) {
            read(path, "");
            while (!levels.isEmpty()) {
                Level level = levels.peek();
                if (level.rest().hasNext()) {
                    Path entry = level.rest().next();
                    read(entry, String.valueOf(entry.getFileName()));
                } else {
                    levels.pop().directory().ifPresent(Pinned::close);
                }
            }
        }

        private void read(Path path, String name) {
            Optional<FileStatus> read;
            try {
                read = FileStatus.of(path);
            } catch (IOException fault) {
                // Whoever makes it readable changes the change time of the directory.
                unreadable(path, name, levels.isEmpty() ? 0 : levels.peek().changed(), fault);
                return;
            }
            if (read.isPresent()) {
                add(path, name, read.get());
            }
        }

        private void add(Path path, String name, FileStatus status) {
            if (lines.isEmpty()) {
                identity = status.identity();
            }
            // A directory's own size and times add nothing to its entries' state, and git updates
            // .git/hooks without changing an entry.
            String state = " " + status.mode() + ' ' + status.identity();
            if (status.isDirectory()) {
                line(name, state);
                enter(path, name, status.changed());
            } else {
                line(name, state + ' ' + status.size() + ' ' + status.changed());
                newest = Math.max(newest, status.changed());
                shared |= status.links() != 1;
            }
        }

        private void enter(Path path, String name, long changed) {
            Optional<Pinned> directory = Optional.empty();
            try {
                if (path.toString().length() > LONGEST_PATH) {
                    directory = Optional.of(Pinned.entry(path));
                }
                List<Path> entries =
                        DirectoryListing.of(directory.map(Pinned::path).orElse(path));
                levels.push(new Level(entries.iterator(), changed, directory));
            } catch (NoSuchFileException vanished) {
                directory.ifPresent(Pinned::close);
                line(name, " vanished");
            } catch (IOException fault) {
                directory.ifPresent(Pinned::close);
                unreadable(path, name, changed, fault);
            }
        }

        private void unreadable(Path path, String name, long changed, IOException fault) {
            complete = false;
            newest = Math.max(newest, changed);
            boolean unseen = path.toString().length() > LONGEST_PATH && !(fault instanceof AccessDeniedException);
            line(
                    name,
                    unseen
                            ? UNSEEN
                            : " unreadable " + changed + ' ' + fault.getClass().getSimpleName());
        }

        @Override
        public void close() {
            levels.forEach(level -> level.directory().ifPresent(Pinned::close));
        }
    }
}
