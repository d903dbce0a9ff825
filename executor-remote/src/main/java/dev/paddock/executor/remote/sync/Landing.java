package dev.paddock.executor.remote.sync;

import dev.paddock.executor.os.file.Kernel;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes the worktree on the host. Replaces each file as a whole. Changes a path only if every directory above it is a
 * real directory of the worktree, no link, and the host has not changed it since it was listed. On Linux it makes every
 * change relative to an open directory, so that a program that replaces a directory with a link meanwhile cannot
 * redirect it.
 */
final class Landing {
    private static final int OWNER_WRITES = 0300;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path root;
    private final Tree here;
    private final Optional<Kernel> kernel;
    private final Set<String> removed = new HashSet<>();

    /**
     * Creates an instance for one thread.
     *
     * @param root the worktree
     * @param here its tree
     */
    Landing(Path root, Tree here) {
        this.root = root;
        this.here = here;
        kernel = HostDirectory.kernel();
    }

    /** A path that the host has changed since it was listed; the next synchronization decides. */
    static final class Overtaken extends IOException {
        private static final long serialVersionUID = 1;

        Overtaken(String path) {
            super("'" + ShownPath.of(path) + "' has changed meanwhile");
        }
    }

    /**
     * Removes a file, a link or an empty directory.
     *
     * @return false if it is a directory that is not empty
     */
    boolean remove(String path) throws IOException {
        try (HostDirectory parent = parent(path)) {
            String name = name(path);
            Optional<TreeEntry> before = unchanged(parent, path);
            if (before.isPresent() && !parent.remove(name, before.get().isDirectory())) {
                return false;
            }
            removed.add(path);
            return true;
        }
    }

    /** Creates a directory, which its owner can use until {@link #finish}. */
    void directory(String path, TreeEntry entry) throws IOException {
        try (HostDirectory parent = parent(path)) {
            if (unchanged(parent, path).filter(TreeEntry::isDirectory).isEmpty()) {
                parent.makeDirectory(name(path));
            }
            parent.setMode(name(path), entry.mode() | OWNER_WRITES);
        }
    }

    /** Sets a directory's permissions after its entries have been written. */
    void finish(String path, TreeEntry entry) throws IOException {
        try (HostDirectory parent = parent(path)) {
            if (parent.stat(name(path)).filter(TreeEntry::isDirectory).isPresent()) {
                parent.setMode(name(path), entry.mode());
            }
        }
    }

    /** Moves a fetched file or link to its path. */
    void put(String path, TreeEntry entry, Download.Staged staged) throws IOException {
        try (HostDirectory parent = parent(path)) {
            unchanged(parent, path);
            if (staged.kind() == Kind.LINK) {
                replace(parent, path, temporary -> parent.makeLink(temporary, staged.target()));
                return;
            }
            Files.setPosixFilePermissions(staged.file(), permissions(entry.mode()));
            Files.setLastModifiedTime(staged.file(), FileTime.from(entry.modified(), TimeUnit.NANOSECONDS));
            if (!parent.moveIn(staged.file(), name(path))) {
                replace(parent, path, temporary -> parent.copyIn(staged.file(), temporary));
            }
        }
    }

    /** Creates an entry under a temporary name. */
    @FunctionalInterface
    private interface Creation {
        void create(String temporary) throws IOException;
    }

    private static void replace(HostDirectory parent, String path, Creation creation) throws IOException {
        String temporary = ".paddock-" + Long.toUnsignedString(RANDOM.nextLong(), 36);
        try {
            creation.create(temporary);
            parent.replace(temporary, name(path));
        } catch (IOException | RuntimeException fault) {
            parent.remove(temporary, false);
            throw fault;
        }
    }

    /** Returns whether the host's file or link has the content of a fetched one. */
    boolean equalsContent(String path, Download.Staged staged) throws IOException {
        @Nullable TreeEntry mine = here.get(path);
        if (mine == null || mine.kind() != staged.kind()) {
            return false;
        }
        try (HostDirectory parent = parent(path)) {
            return staged.kind() == Kind.LINK
                    ? parent.target(name(path)).equals(staged.target())
                    : Files.size(staged.file()) == mine.size() && parent.equalsContent(name(path), staged.file());
        }
    }

    /** Sets the permissions and the time of a file whose content is right. */
    void touch(String path, TreeEntry entry) throws IOException {
        if (entry.kind() == Kind.FILE) {
            try (HostDirectory parent = parent(path)) {
                unchanged(parent, path);
                parent.setMode(name(path), entry.mode());
                parent.setModified(name(path), entry.modified());
            }
        }
    }

    /** Returns a path's entry; empty if it, or a directory above it, does not exist. */
    Optional<TreeEntry> stat(String path) throws IOException {
        try (HostDirectory parent = parent(path)) {
            return parent.stat(name(path));
        } catch (HostDirectory.NoDirectory gone) {
            return Optional.empty();
        }
    }

    /** Returns the current entry; throws if it is not the listed one. */
    private Optional<TreeEntry> unchanged(HostDirectory parent, String path) throws IOException {
        @Nullable TreeEntry before = removed.contains(path) ? null : here.get(path);
        Optional<TreeEntry> now = parent.stat(name(path));
        if (!Tree.isUnchanged(now.orElse(null), before)) {
            throw new Overtaken(path);
        }
        return now;
    }

    private HostDirectory parent(String path) throws IOException {
        return HostDirectory.open(kernel, root, Tree.parent(path).orElse(""));
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static Path link(String target) throws IOException {
        return PathBytes.path(target).orElseThrow(() -> new IOException("a link's target contains NUL"));
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // in the order of the bits
        for (int index = 0; index < all.length; index++) {
            if (((mode >> (all.length - 1 - index)) & 1) != 0) {
                set.add(all[index]);
            }
        }
        return set;
    }
}
