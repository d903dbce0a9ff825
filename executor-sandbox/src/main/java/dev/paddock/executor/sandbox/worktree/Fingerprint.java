package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
record Fingerprint(String state, String identity, boolean complete, boolean shared, long newest, long taken) {
    static final Fingerprint ABSENT = new Fingerprint("", "", true, false, 0, Long.MAX_VALUE);

    /**
     * Change times are as exact as the kernel's clock tick, up to 10 ms: a second change within it
     * would not show.
     */
    private static final long TICK_MILLIS = 20;

    /** A directory with more entries is not read further. */
    private static final int MOST_ENTRIES = 50_000;

    /** Takes the fingerprint of a path. Throws nothing: what cannot be read makes it incomplete. */
    static Fingerprint of(Path path) {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            return ABSENT; // most protected paths are absent, and an exception for each is a fifth of a command's start
        }
        Reader reader = new Reader();
        long taken = System.currentTimeMillis();
        reader.read(path, "");
        return reader.lines.isEmpty()
                ? ABSENT
                : new Fingerprint(
                        String.join("\n", reader.lines),
                        reader.identity,
                        reader.complete,
                        reader.shared,
                        reader.newest,
                        taken);
    }

    boolean isAbsent() {
        return state.isEmpty();
    }

    /** Returns whether another fingerprint of the path shows the same state. */
    boolean matches(Fingerprint other) {
        return state.equals(other.state);
    }

    /**
     * Returns whether a later change must have changed it: everything was read, and nothing had
     * changed within the same tick of the clock.
     */
    boolean conclusive() {
        return complete && newest + TICK_MILLIS < taken;
    }

    private static final class Reader {
        private final List<String> lines = new ArrayList<>();
        private String identity = "";
        private boolean complete = true;
        private boolean shared;
        private long newest;

        void read(Path path, String name) {
            Map<String, Object> attributes;
            try {
                attributes = Files.readAttributes(
                        path, "unix:mode,ino,dev,size,ctime,nlink,isDirectory", LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException | NotDirectoryException absent) {
                return;
            } catch (IOException fault) {
                unreadable(name, fault);
                return;
            }
            boolean directory = Boolean.TRUE.equals(attributes.get("isDirectory"));
            String inode = attributes.get("dev") + " " + attributes.get("ino");
            if (lines.isEmpty()) {
                identity = inode;
            }
            FileTime changed = (FileTime) Objects.requireNonNull(attributes.get("ctime"));
            // A directory's own size and times add nothing to its entries' state, and git updates
            // .git/hooks without changing an entry.
            lines.add(name
                    + ' '
                    + attributes.get("mode")
                    + ' '
                    + inode
                    + (directory ? "" : " " + attributes.get("size") + ' ' + changed));
            if (directory) {
                readEntries(path, name, changed);
            } else {
                newest = Math.max(newest, changed.toMillis());
                shared |= !Objects.equals(attributes.get("nlink"), 1);
            }
        }

        private void readEntries(Path directory, String name, FileTime changed) {
            if (lines.size() > MOST_ENTRIES) {
                complete = false;
                lines.add(name + " has too many entries " + changed);
                return;
            }
            try {
                for (Path child : sortedChildren(directory)) {
                    read(child, name + '/' + child.getFileName());
                }
            } catch (NoSuchFileException vanished) {
                lines.add(name + " vanished");
            } catch (IOException fault) {
                // Whoever makes it readable changes its change time.
                newest = Math.max(newest, changed.toMillis());
                unreadable(name + ' ' + changed, fault);
            }
        }

        private void unreadable(String name, IOException fault) {
            complete = false;
            lines.add(name + " unreadable " + fault.getClass().getSimpleName());
        }

        private static List<Path> sortedChildren(Path directory) throws IOException {
            List<Path> children = new ArrayList<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                entries.forEach(children::add);
            } catch (DirectoryIteratorException fault) {
                throw fault.getCause();
            }
            children.sort(null);
            return children;
        }
    }
}
