package dev.paddock.executor.remote.sync;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.remote.sync.Entry.Kind;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes the worktree on the host. Each file replaces another as a whole. A path is changed only if
 * every directory above it is a real directory of the worktree, no link, and only if the host has not
 * changed it since it was listed.
 */
final class Landing {
    private static final int OWNER_WRITES = 0300;

    private final Path root;
    private final Tree here;
    private final Set<String> removed = new HashSet<>();

    Landing(Path root, Tree here) {
        this.root = root;
        this.here = here;
    }

    /** A path that the host has changed since it was listed; the next synchronization decides. */
    static final class Overtaken extends IOException {
        private static final long serialVersionUID = 1;

        Overtaken(String path) {
            super("'" + PathBytes.escaped(path) + "' has changed meanwhile");
        }
    }

    /**
     * Removes a file, a link or an empty directory.
     *
     * @return false if it is a directory that is not empty
     */
    boolean remove(String path) throws IOException {
        Path target = unchanged(path);
        try {
            Files.deleteIfExists(target);
            removed.add(path);
            return true;
        } catch (DirectoryNotEmptyException ownFiles) {
            return false;
        }
    }

    /** Creates a directory, which its owner can use until {@link #finish}. */
    void directory(String path, Entry entry) throws IOException {
        Path target = unchanged(path);
        if (!Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(target);
        }
        Files.setPosixFilePermissions(target, permissions(entry.mode() | OWNER_WRITES));
    }

    /** Gives a directory its permissions after its entries have been written. */
    void finish(String path, Entry entry) throws IOException {
        Path target = HostTree.resolve(root, path);
        requireDirectories(path);
        if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(target, permissions(entry.mode()));
        }
    }

    /** Puts a fetched file or link in its place. */
    void put(String path, Entry entry, Download.Staged staged) throws IOException {
        Path target = unchanged(path);
        Path temporary = target.resolveSibling(".paddock-" + Long.toUnsignedString(System.nanoTime(), 36));
        try {
            if (staged.kind() == Kind.LINK) {
                Files.createSymbolicLink(temporary, link(staged.target()));
            } else {
                prepare(staged.file(), entry);
                if (moved(staged.file(), target)) {
                    return;
                }
                Files.copy(staged.file(), temporary, StandardCopyOption.COPY_ATTRIBUTES);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void prepare(Path file, Entry entry) throws IOException {
        Files.setPosixFilePermissions(file, permissions(entry.mode()));
        Files.setLastModifiedTime(file, FileTime.from(entry.modified(), TimeUnit.NANOSECONDS));
    }

    private static boolean moved(Path file, Path target) throws IOException {
        try {
            Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (AtomicMoveNotSupportedException otherFileSystem) {
            return false;
        }
    }

    /** Returns whether the host's file or link has the content of a fetched one. */
    boolean equalsContent(String path, Download.Staged staged) throws IOException {
        @Nullable Entry mine = here.get(path);
        Path target = HostTree.resolve(root, path);
        if (mine == null || mine.kind() != staged.kind()) {
            return false;
        }
        return staged.kind() == Kind.LINK
                ? PathBytes.of(Files.readSymbolicLink(target)).equals(staged.target())
                : Files.size(staged.file()) == mine.size() && Files.mismatch(staged.file(), target) < 0;
    }

    /** Gives a file, whose content is right, its permissions and its time. */
    void touch(String path, Entry entry) throws IOException {
        if (entry.kind() == Kind.FILE) {
            prepare(unchanged(path), entry);
        }
    }

    private Path unchanged(String path) throws IOException {
        requireDirectories(path);
        Path target = HostTree.resolve(root, path);
        @Nullable Entry before = removed.contains(path) ? null : here.get(path);
        if (!Tree.isUnchanged(HostTree.stat(target).orElse(null), before)) {
            throw new Overtaken(path);
        }
        return target;
    }

    static Path link(String target) throws IOException {
        return PathBytes.path(target).orElseThrow(() -> new IOException("a link's target contains NUL"));
    }

    private void requireDirectories(String path) throws IOException {
        for (Optional<String> above = Tree.parent(path); above.isPresent(); above = Tree.parent(above.get())) {
            if (!Files.isDirectory(HostTree.resolve(root, above.get()), LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("'" + PathBytes.escaped(above.get()) + "' is no directory");
            }
        }
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
