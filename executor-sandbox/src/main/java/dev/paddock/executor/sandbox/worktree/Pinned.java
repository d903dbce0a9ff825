package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.process.posix.Errno;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.Memory;
import dev.paddock.executor.process.posix.SystemCall;
import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Holds a file or directory open by reference only ({@code O_PATH}), reached without following a
 * link: commands that rename or replace directories meanwhile cannot make it another one. Needs no
 * permission on the file itself, so that a mode of 000 hides nothing.
 *
 * <p>Where the C library cannot be called, and on macOS, it checks that no part of the path is a
 * link, and uses the path.
 */
final class Pinned implements AutoCloseable {
    private static final int AT_FDCWD = -100;
    private static final int O_PATH_CLOEXEC = 0x280000;
    private static final boolean ARM =
            Architecture.current().filter(Architecture.AARCH64::equals).isPresent();
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    private static final Optional<LibC> LIBRARY =
            LibC.isLinux() && Architecture.current().isPresent() ? LibC.instance() : Optional.empty();

    private final int descriptor;
    private final Path path;
    private final Path name;

    private Pinned(int descriptor, Path path, Path name) {
        this.descriptor = descriptor;
        this.path = path;
        this.name = name;
    }

    /**
     * Opens a directory below a root, or the root itself. Changes nothing.
     *
     * @param root a directory whose own path no command can change
     * @param directory an absolute path below it
     * @throws NoSuchFileException if there is none
     * @throws NotDirectoryException if a part of the path is a link or no directory
     */
    static Pinned directory(Path root, Path directory) throws IOException {
        return directory(root, directory, Pinned::child);
    }

    /**
     * Opens a directory as {@link #directory(Path, Path)} does. Directories of this user on the way
     * that it may not enter are made accessible to it.
     */
    static Pinned unlockedDirectory(Path root, Path directory) throws IOException {
        return directory(root, directory, (parent, name) -> {
            try {
                return parent.child(name);
            } catch (AccessDeniedException closed) {
                parent.makeAccessible();
                return parent.child(name);
            }
        });
    }

    /** Opens a directory as {@link #unlockedDirectory} does, and creates those that do not exist. */
    static Pinned madeDirectory(Path root, Path directory) throws IOException {
        return directory(root, directory, (parent, name) -> {
            parent.makeAccessible();
            if (!parent.has(name)) {
                Files.createDirectory(parent.at(name));
            }
            return parent.child(name);
        });
    }

    /** Returns the directory of a path, which is not the root of the file system. */
    static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("'" + path + "' has no parent");
        }
        return parent;
    }

    /** Opens an entry of a directory. */
    private interface Descent {
        Pinned into(Pinned parent, Path name) throws IOException;
    }

    private static Pinned directory(Path root, Path directory, Descent descent) throws IOException {
        Pinned here = open(AT_FDCWD, root, root);
        try {
            here.requireDirectory(root);
            for (Path part : root.relativize(directory)) {
                if (!part.toString().isEmpty()) {
                    Pinned next = descent.into(here, part);
                    here.close();
                    here = next;
                    here.requireDirectory(directory);
                }
            }
            return here;
        } catch (IOException | RuntimeException fault) {
            here.close();
            throw fault;
        }
    }

    /**
     * Opens an entry of this directory; a link is opened itself.
     *
     * @throws NoSuchFileException if there is none
     */
    Pinned child(Path name) throws IOException {
        return open(descriptor, name, path.resolve(name));
    }

    /** Returns whether this directory has an entry, of whatever kind. */
    boolean has(Path entry) throws IOException {
        try {
            child(entry).close();
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    private static Pinned open(int directory, Path name, Path whole) throws IOException {
        if (LIBRARY.isEmpty()) {
            Files.readAttributes(whole, "isDirectory", LinkOption.NOFOLLOW_LINKS);
            return new Pinned(-1, whole, whole);
        }
        ByteBuffer text = terminated(PathBytes.of(name).getBytes(StandardCharsets.ISO_8859_1));
        long result = LIBRARY.get()
                .syscall(SystemCall.OPENAT, directory, Memory.address(text), O_PATH_CLOEXEC | O_NOFOLLOW, 0);
        text.clear(); // keeps the buffer reachable up to here
        if (result < 0) {
            throw fault(whole, (int) -result);
        }
        return new Pinned((int) result, Path.of("/proc/self/fd/" + result), whole);
    }

    private static ByteBuffer terminated(byte[] bytes) {
        return Memory.allocate(bytes.length + 1).put(bytes);
    }

    private static FileSystemException fault(Path path, int errno) {
        String name = PathBytes.escaped(path);
        return switch (errno) {
            case Errno.ENOENT -> new NoSuchFileException(name);
            case Errno.ENOTDIR -> new NotDirectoryException(name);
            case Errno.EACCES -> new AccessDeniedException(name);
            default -> new FileSystemException(name, null, Errno.text(errno));
        };
    }

    private void requireDirectory(Path wanted) throws IOException {
        if (!attributes().isDirectory()) {
            throw new NotDirectoryException(PathBytes.escaped(wanted));
        }
    }

    /** Returns a path to the file itself; to be followed, even if the file is a link. */
    Path path() {
        return path;
    }

    /**
     * Reads the target of a link, through the directory that it was opened from, which must still
     * be open.
     */
    Path linkTarget() throws IOException {
        return Files.readSymbolicLink(name);
    }

    /** Returns a path to an entry of this directory; the entry itself may be a link. */
    Path at(Path name) {
        return path.resolve(name);
    }

    PosixFileAttributes attributes() throws IOException {
        return descriptor < 0
                ? Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                : Files.readAttributes(path, PosixFileAttributes.class);
    }

    /** Gives the owner all permissions on a directory, and reading and writing on a file. */
    void makeAccessible() throws IOException {
        PosixFileAttributes attributes = attributes();
        if (attributes.isSymbolicLink()) {
            return;
        }
        Set<PosixFilePermission> wanted = EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        if (attributes.isDirectory()) {
            wanted.add(PosixFilePermission.OWNER_EXECUTE);
        }
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(attributes.permissions());
        if (permissions.addAll(wanted)) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    /** Sets the permissions of a file or directory that is no link. */
    void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        Files.setPosixFilePermissions(path, permissions);
    }

    @Override
    public void close() {
        if (descriptor >= 0) {
            LIBRARY.ifPresent(library -> library.close(descriptor));
        }
    }
}
