package dev.paddock.executor.worktree.files;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file, or of every entry of a directory, with kinds, modes, owners, groups and numbers of names.
 * Links are not followed. Equal fingerprints are indistinguishable to every program.
 *
 * <p>Time stamps do not prove unchanged content: a write through a mapping need not change them. Stamps only avoid
 * reading {@linkplain #LARGE large} files, and only on file systems where such a write changes them.
 *
 * @param content for each entry its name, kind and mode, and its bytes; their hash if there are more than {@link
 *     Digest#MAX_KEPT}; empty for a missing path
 * @param owners the user ids of all entries
 * @param groups the group ids of those to which another group than this JVM's may write
 * @param names of each file with several names, its identity and when one was added last; they may be elsewhere
 * @param identity device, inode and birth time; empty for a missing path
 * @param complete whether every entry could be read
 * @param size the bytes of all regular files, if these were read
 * @param stamps the stamps of large files, if every later write changes them
 */
public record Fingerprint(
        String content,
        Set<Integer> owners,
        Set<Integer> groups,
        String names,
        String identity,
        boolean complete,
        long size,
        Optional<String> stamps) {
    public static final Fingerprint ABSENT = new Fingerprint("", Set.of(), Set.of(), "", "", true, 0, Optional.empty());

    /** Protected paths are settings, not data: larger contents are read only if necessary. */
    private static final long LARGE = 16L << 20;

    private static final int MANY = 1_000;

    /** Bounds separately the bytes read of small and of larger files; beyond, stamps are compared. */
    private static final long MAX_READ = 256L << 20;

    /** A script or a list of settings is smaller, and is always read. */
    private static final long SMALL = 1L << 20;

    /** The entries of a directory with a longer path are read by its open descriptor. */
    private static final int MAX_PATH_LENGTH = 1_000;

    /** Takes the fingerprint of a path. Throws nothing: an unreadable entry makes it incomplete. */
    public static Fingerprint of(Path path) {
        return read(path, MAX_READ);
    }

    /**
     * Takes the fingerprint of the same path again.
     *
     * @param quiet whether no process can have a mapping by which it writes without a trace
     * @return this very object if nothing has changed
     */
    public Fingerprint again(Path path, boolean quiet) {
        if (quiet && hasStampsOf(path)) {
            return this;
        }
        Fingerprint now = isUnread() ? unread(path) : of(path);
        return now.equals(this) ? this : now;
    }

    /**
     * Takes the fingerprint of the same path after commands, and reads no more bytes than before: a file that has
     * become larger has changed.
     *
     * @param quiet as with {@link #again}
     */
    public Fingerprint after(Path path, boolean quiet) {
        return quiet && hasStampsOf(path) ? this : read(path, Math.min(size, MAX_READ));
    }

    /**
     * Takes the fingerprint of one of many files that need no restoring, without reading it if every later write
     * changes its stamps. It stays unread when it is taken again.
     */
    public static Fingerprint unread(Path path) {
        long taken = System.currentTimeMillis();
        try (Reader reader = new Reader(0, true)) {
            reader.readTree(path);
            return reader.isDated(path, taken) ? reader.fingerprint(0, true) : of(path);
        }
    }

    private boolean isUnread() {
        return size == 0 && stamps.isPresent();
    }

    private boolean hasStampsOf(Path path) {
        if (stamps.isEmpty()) {
            return false;
        }
        try (Reader reader = new Reader(0, false)) {
            reader.readTree(path);
            return reader.stamps.text().equals(stamps.get());
        }
    }

    private static Fingerprint read(Path path, long most) {
        long taken = System.currentTimeMillis();
        try (Reader reader = new Reader(most, true)) {
            reader.readTree(path);
            return reader.fingerprint(reader.size, reader.isLarge() && reader.isDated(path, taken));
        }
    }

    /** Returns the latest change time in a tree, in milliseconds since 1970; 0 for a missing path. */
    public static long lastChange(Path path) {
        try (Reader reader = new Reader(0, false)) {
            reader.readTree(path);
            return TimeUnit.NANOSECONDS.toMillis(reader.newest);
        }
    }

    // Written out: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that
                && content.equals(that.content)
                && owners.equals(that.owners)
                && groups.equals(that.groups)
                && names.equals(that.names)
                && identity.equals(that.identity)
                && complete == that.complete
                && size == that.size
                && stamps.equals(that.stamps);
    }

    @Override
    public int hashCode() {
        return content.hashCode();
    }

    public boolean isAbsent() {
        return content.isEmpty();
    }

    /**
     * Returns the bytes of a regular file, as ISO 8859-1.
     *
     * @return empty for anything else, and if only a hash of the bytes is kept
     */
    public Optional<String> text() {
        int header = content.indexOf('\n');
        boolean kept = size > 0 && complete && header > 0 && header + 1 + size == content.length();
        return kept ? Optional.of(content.substring(header + 1)) : Optional.empty();
    }

    /** Returns whether a regular file in it has several names, one of which may change it from elsewhere. */
    public boolean isShared() {
        return !names.isEmpty();
    }

    /**
     * Returns whether a later one is the same to every program: no entry in it has a new owner or a new group that may
     * write to it, and no file a new name.
     *
     * @param users the owners that an entry may have now, whatever it had before
     */
    public boolean isSame(Fingerprint later, Set<Integer> users) {
        return content.equals(later.content)
                && later.owners.stream().allMatch(owner -> owners.contains(owner) || users.contains(owner))
                && groups.containsAll(later.groups)
                && (!later.isShared() || names.equals(later.names));
    }

    /**
     * Reads a tree from its top to its bottom, entry by entry in order. The kernel takes no path of more than 4095
     * bytes: below longer ones it continues from an open directory.
     */
    private static final class Reader implements AutoCloseable {
        private final long most;
        private final boolean reads;
        private final Digest content = new Digest();
        private final Digest names = new Digest();
        private final Digest stamps = new Digest();
        private final Set<Integer> owners = new HashSet<>();
        private final Set<Integer> groups = new HashSet<>();
        private final Deque<Level> levels = new ArrayDeque<>();
        private String identity = "";
        private boolean complete = true;
        private long size;
        private long readOfSmall;
        private long readOfLarge;
        private int entries;
        private long newest;

        /** The unread entries of a directory. */
        private record Level(Iterator<Path> rest, long changed, Optional<Pinned> directory) {}

        /**
         * Creates a reader.
         *
         * @param most how many bytes of small files are read, and how many of larger ones; stamps represent a file
         *     beyond
         * @param reads whether contents are read at all
         */
        Reader(long most, boolean reads) {
            this.most = most;
            this.reads = reads;
        }

        boolean isLarge() {
            return size > LARGE || entries > MANY;
        }

        /** Returns whether every later write changes a stamp: none has changed within the same tick of the clock. */
        boolean isDated(Path path, long taken) {
            long latest = TimeUnit.NANOSECONDS.toMillis(newest);
            return complete && latest + FileStatus.tickOf(latest) < taken && FileSystems.dateMappedWrites(path);
        }

        Fingerprint fingerprint(long bytes, boolean dated) {
            return entries == 0
                    ? ABSENT
                    : new Fingerprint(
                            content.text(),
                            Set.copyOf(owners),
                            Set.copyOf(groups),
                            names.text(),
                            identity,
                            complete,
                            bytes,
                            dated ? Optional.of(stamps.text()) : Optional.empty());
        }

        void readTree(Path path) {
            read(path, "");
            while (!levels.isEmpty()) {
                Level level = levels.peek();
                if (level.rest().hasNext()) {
                    Path entry = level.rest().next();
                    read(entry, PathBytes.of(entry.getFileName()));
                } else {
                    levels.pop().directory().ifPresent(Pinned::close);
                }
            }
        }

        private void read(Path path, String name) {
            try {
                Optional<FileStatus> status = FileStatus.of(path);
                if (status.isPresent()) {
                    add(path, name, status.get());
                }
            } catch (IOException fault) {
                // Making it readable changes the ctime of the directory.
                unreadable(path, name, levels.isEmpty() ? 0 : levels.peek().changed(), fault);
            }
        }

        /** Begins an entry; NUL and the length keep different trees from producing the same bytes. */
        private void begin(String name, String shape) {
            entries++;
            content.add(levels.size() + " " + name + '\0' + shape + '\n');
        }

        private void add(Path path, String name, FileStatus status) {
            if (entries == 0) {
                identity = status.identity();
            }
            owners.add(status.owner());
            if (status.isWritableToOtherGroup()) {
                groups.add(status.group());
            }
            // Ignores a directory's own size and times: git updates those of .git/hooks without changing an entry.
            if (status.isDirectory()) {
                begin(name, String.valueOf(status.mode()));
                String shape = status.mode() + " " + status.owner() + ' ' + status.group() + ' ' + status.identity();
                stamps.add(levels.size() + " " + name + '\0' + shape + '\n');
                enter(path, name, status.changed());
                return;
            }
            String stamp = status.identity() + ' ' + status.size() + ' ' + status.changed() + '\n';
            stamps.add(levels.size() + " " + name + '\0' + status.mode() + ' ' + stamp);
            newest = Math.max(newest, status.changed());
            if (status.links() > 1) {
                names.add(levels.size() + " " + name + '\0' + status.links() + ' ' + stamp);
            }
            begin(name, status.mode() + " " + (status.isFile() ? status.size() : 0));
            if (status.isFile()) {
                size += status.size();
            }
            if (reads) {
                addContent(path, name, status, stamp);
            }
        }

        private void addContent(Path path, String name, FileStatus status, String stamp) {
            try {
                if (status.isLink()) {
                    content.add(PathBytes.of(Files.readSymbolicLink(path)) + '\n');
                } else if (status.isFile() && isWithinBound(status.size())) {
                    ContentReader.read(path, status.size(), content::add);
                } else {
                    content.add(stamp);
                }
            } catch (IOException fault) {
                unreadable(path, name, status.changed(), fault);
            }
        }

        /** Counts a file unless it exceeds the bound. */
        private boolean isWithinBound(long bytes) {
            boolean small = bytes <= SMALL;
            long all = bytes + (small ? readOfSmall : readOfLarge);
            if (all > most) {
                return false;
            }
            if (small) {
                readOfSmall = all;
            } else {
                readOfLarge = all;
            }
            return true;
        }

        private void enter(Path path, String name, long changed) {
            Optional<Pinned> directory = Optional.empty();
            try {
                if (path.toString().length() > MAX_PATH_LENGTH) {
                    directory = Optional.of(Pinned.entry(path));
                }
                List<Path> entries =
                        DirectoryReader.list(directory.map(Pinned::path).orElse(path));
                levels.push(new Level(entries.iterator(), changed, directory));
            } catch (NoSuchFileException vanished) {
                directory.ifPresent(Pinned::close);
                begin(name, "vanished");
            } catch (IOException fault) {
                directory.ifPresent(Pinned::close);
                unreadable(path, name, changed, fault);
            }
        }

        /**
         * Represents an unreadable entry by its change time; if its path is too long to reach it, by a random value,
         * which equals no earlier one.
         */
        private void unreadable(Path path, String name, long changed, IOException fault) {
            complete = false;
            newest = Math.max(newest, changed);
            boolean unseen = path.toString().length() > MAX_PATH_LENGTH && !(fault instanceof AccessDeniedException);
            begin(name, "unreadable " + (unseen ? UUID.randomUUID() : changed + " " + fault.getClass()));
        }

        @Override
        public void close() {
            levels.forEach(level -> level.directory().ifPresent(Pinned::close));
        }
    }
}
