package dev.paddock.executor.sandbox.worktree.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
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

    /** A deeper directory is not read: each level takes a part of the stack. */
    private static final int DEEPEST = 512;

    private static final String TOO_DEEP = " lies too deep to be read";

    /** Takes the fingerprint of a path. Throws nothing: an unreadable entry makes it incomplete. */
    public static Fingerprint of(Path path) {
        Reader reader = new Reader();
        long taken = System.currentTimeMillis();
        reader.read(path, "");
        return reader.lines.isEmpty()
                ? ABSENT
                : new Fingerprint(
                        reader.state(),
                        reader.identity,
                        reader.complete,
                        reader.shared,
                        TimeUnit.NANOSECONDS.toMillis(reader.newest),
                        taken);
    }

    public boolean isAbsent() {
        return state.isEmpty();
    }

    /** Returns whether entries may have changed without a trace, since they were not read. */
    public boolean isBlind() {
        return !complete && state.contains(TOO_DEEP);
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

    private static final class Reader {
        private final List<String> lines = new ArrayList<>();
        private String identity = "";
        private boolean complete = true;
        private boolean shared;
        private long newest;
        private int depth;
        private long hashed;
        private @Nullable MessageDigest more;

        /** Adds the state of an entry. */
        private void line(String state) {
            if (lines.size() < MOST_ENTRIES) {
                lines.add(state);
            } else {
                MessageDigest digest = more == null ? sha256() : more;
                more = digest;
                digest.update(state.getBytes(StandardCharsets.UTF_8));
                digest.update((byte) 0);
                hashed++;
            }
        }

        String state() {
            String first = String.join("\n", lines);
            return more == null
                    ? first
                    : first + "\n" + hashed + " more " + HexFormat.of().formatHex(more.digest());
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible); // every Java platform has it
            }
        }

        void read(Path path, String name) {
            Optional<FileStatus> read;
            try {
                read = FileStatus.of(path);
            } catch (IOException fault) {
                unreadable(name, fault);
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
            String line = name + ' ' + status.mode() + ' ' + status.identity();
            if (status.isDirectory()) {
                line(line);
                readEntries(path, name, status.changed());
            } else {
                line(line + ' ' + status.size() + ' ' + status.changed());
                newest = Math.max(newest, status.changed());
                shared |= status.links() != 1;
            }
        }

        private void readEntries(Path directory, String name, long changed) {
            if (depth == DEEPEST) {
                complete = false;
                line(name + TOO_DEEP);
                return;
            }
            depth++;
            try {
                for (Path child : DirectoryListing.of(directory)) {
                    read(child, name + '/' + child.getFileName());
                }
            } catch (NoSuchFileException vanished) {
                line(name + " vanished");
            } catch (IOException fault) {
                // Whoever makes it readable changes its change time.
                newest = Math.max(newest, changed);
                unreadable(name + ' ' + changed, fault);
            } finally {
                depth--;
            }
        }

        private void unreadable(String name, IOException fault) {
            complete = false;
            line(name + " unreadable " + fault.getClass().getSimpleName());
        }
    }
}
