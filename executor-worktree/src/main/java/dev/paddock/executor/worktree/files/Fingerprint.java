package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The status of a file, or of every entry of a directory, in a form that is cheap to compare. Links
 * are not followed.
 *
 * <p>Equal fingerprints do not prove an equal content: a write through a mapping need not change the
 * change time. A {@link #conclusive} one shows the next change by everybody who has no mapping yet.
 *
 * @param form a line for each entry, with name, kind and mode; empty if there is nothing
 * @param state a line for each entry, with all of its status; empty if there is nothing
 * @param owners the user ids of all entries
 * @param shared whether a regular file in it has several names: it may be changed by one elsewhere
 * @param identity device and inode; empty if there is nothing
 * @param complete whether every entry could be read
 * @param dated whether the file system changes the change time at every write
 * @param newest the latest change time, in milliseconds since 1970
 * @param taken when it was taken
 */
public record Fingerprint(
        String form,
        String state,
        Set<Integer> owners,
        boolean shared,
        String identity,
        boolean complete,
        boolean dated,
        long newest,
        long taken) {
    public static final Fingerprint ABSENT =
            new Fingerprint("", "", Set.of(), false, "", true, true, 0, Long.MAX_VALUE);

    /** The states of further entries are represented by their hash, which takes less memory. */
    private static final int MOST_ENTRIES = 50_000;

    /** The contents of more entries are not read after each command: protected directories have settings, not data. */
    private static final int MAX_COMPARED = 1_000;

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
                && form.equals(that.form)
                && state.equals(that.state)
                && owners.equals(that.owners)
                && shared == that.shared
                && identity.equals(that.identity)
                && complete == that.complete
                && dated == that.dated
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

    /** Returns whether it is of a directory with more entries than are read after each command. */
    public boolean isLarge() {
        return form.chars().filter(character -> character == '\n').count() > MAX_COMPARED;
    }

    /** Returns whether another fingerprint of the path shows the same status. */
    public boolean matches(Fingerprint other) {
        return state.equals(other.state);
    }

    /**
     * Returns whether a later one has the same names, kinds and modes, and no entry in it has a new owner. Then only the
     * contents may differ, and the other names of files that have several: a new one in place of a former one leaves
     * their number as it was, but changes the change time.
     *
     * @param users the owners that an entry may have now, whatever it had before
     */
    public boolean hasForm(Fingerprint later, Set<Integer> users) {
        return form.equals(later.form)
                && later.owners.stream().allMatch(owner -> owners.contains(owner) || users.contains(owner))
                && (!later.shared || matches(later));
    }

    /**
     * Returns whether a later change must have changed it: everything was read, the file system dates
     * every write, and nothing had changed within the same tick of the clock.
     */
    public boolean conclusive() {
        return complete && dated && isSettled();
    }

    /** Returns whether nothing had changed within the tick of the clock in which it was taken. */
    public boolean isSettled() {
        return newest + FileStatus.tickOf(newest) < taken;
    }

    /**
     * Reads a tree from its top to its bottom, entry by entry in order. The kernel takes no path of
     * more than 4095 bytes: below longer ones it goes on from an open directory.
     */
    private static final class Reader implements AutoCloseable {
        private final Lines form = new Lines();
        private final Lines state = new Lines();
        private final Set<Integer> owners = new HashSet<>();
        private boolean shared;
        private final Deque<Level> levels = new ArrayDeque<>();
        private String identity = "";
        private boolean complete = true;
        private boolean dated;
        private long newest;

        /** The entries of a directory that are still to be read. */
        private record Level(Iterator<Path> rest, long changed, Optional<Pinned> directory) {}

        /** Adds lines on an entry, after its depth and its name. */
        private void line(String name, String shape, String status) {
            String entry = levels.size() + " " + name.replace('\n', '\0');
            form.add(entry + shape);
            state.add(entry + shape + status);
        }

        Fingerprint fingerprint(long taken) {
            return state.isEmpty()
                    ? ABSENT
                    : new Fingerprint(
                            form.text(),
                            state.text(),
                            Set.copyOf(owners),
                            shared,
                            identity,
                            complete,
                            dated,
                            TimeUnit.NANOSECONDS.toMillis(newest),
                            taken);
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
            if (state.isEmpty()) {
                identity = status.identity();
                dated = FileSystems.dateMappedWrites(status.isLink() ? Pinned.parentOf(path) : path);
            }
            // A directory's own size and times add nothing to its entries' state, and git updates
            // .git/hooks without changing an entry.
            String shape = " " + status.mode();
            owners.add(status.owner());
            if (status.isDirectory()) {
                line(name, shape, " " + status.identity());
                enter(path, name, status.changed());
            } else {
                line(name, shape, " " + status.identity() + ' ' + status.size() + ' ' + status.changed());
                newest = Math.max(newest, status.changed());
                shared |= status.links() > 1;
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
                line(name, " vanished", "");
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
                    " unreadable",
                    unseen ? UNSEEN : " " + changed + ' ' + fault.getClass().getSimpleName());
        }

        @Override
        public void close() {
            levels.forEach(level -> level.directory().ifPresent(Pinned::close));
        }
    }

    /** Lines, of which those beyond a number are represented by their hash. */
    private static final class Lines {
        private final List<String> first = new ArrayList<>();
        private long hashed;
        private @Nullable MessageDigest more;

        void add(String line) {
            if (first.size() < MOST_ENTRIES) {
                first.add(line);
                return;
            }
            MessageDigest digest = more == null ? Digests.sha256() : more;
            more = digest;
            digest.update(line.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) '\n');
            hashed++;
        }

        boolean isEmpty() {
            return first.isEmpty();
        }

        String text() {
            String lines = String.join("\n", first);
            return more == null
                    ? lines
                    : lines + "\n" + hashed + " more " + HexFormat.of().formatHex(more.digest());
        }
    }
}
