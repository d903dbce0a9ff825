package dev.paddock.executor.os.file;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Keeps a file or directory open by reference only ({@code O_PATH}), reached without following a link: commands that
 * rename or replace directories meanwhile cannot redirect it. Needs no permission on the file itself, so that a mode of
 * 000 hides nothing.
 *
 * <p>Where the C library cannot be called, and on macOS, it checks that no part of the path is a link, and uses the
 * path.
 */
public final class Pinned implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(Pinned.class);

    private final Optional<FileReference> reference;
    private final Path path;
    private final Path name;

    private Pinned(Optional<FileReference> reference, Path path, Path name) {
        this.reference = reference;
        this.path = path;
        this.name = name;
    }

    /**
     * Opens a directory below a root, or the root itself, unchanged.
     *
     * @param root a directory whose own path no command can change
     * @param directory an absolute path below it
     * @throws NoSuchFileException if it does not exist
     * @throws NotDirectoryException if a part of the path is a link or no directory
     */
    public static Pinned directory(Path root, Path directory) throws IOException {
        return directory(root, directory, Pinned::childDirectory);
    }

    /**
     * Opens a directory as {@link #directory(Path, Path)} does. Makes this user's inaccessible directories on the path
     * accessible.
     */
    public static Pinned unlockedDirectory(Path root, Path directory) throws IOException {
        return directory(root, directory, (parent, name) -> {
            try {
                return parent.childDirectory(name);
            } catch (AccessDeniedException closed) {
                parent.makeAccessible();
                return parent.childDirectory(name);
            }
        });
    }

    /** Opens a directory as {@link #unlockedDirectory} does, and creates missing ones. */
    public static Pinned unlockedNewDirectory(Path root, Path directory) throws IOException {
        return directory(root, directory, (parent, name) -> {
            parent.makeAccessible();
            return parent.newChild(name);
        });
    }

    /** Opens a directory as {@link #directory(Path, Path)} does, and creates missing ones. */
    public static Pinned newDirectory(Path root, Path directory) throws IOException {
        return directory(root, directory, Pinned::newChild);
    }

    private Pinned newChild(Path entry) throws IOException {
        if (!has(entry)) {
            try {
                Files.createDirectory(at(entry));
            } catch (FileAlreadyExistsException made) {
                LOG.log(Level.TRACE, "{0} was created meanwhile", entry);
            }
        }
        return childDirectory(entry);
    }

    public static Path parentOf(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("'" + path + "' has no parent");
        }
        return parent;
    }

    private interface Descent {
        Pinned into(Pinned parent, Path name) throws IOException;
    }

    private static Pinned directory(Path root, Path directory, Descent descent) throws IOException {
        Pinned here = openDirectory(FileReference.NO_DIRECTORY, root, root);
        try {
            for (Path part : root.relativize(directory)) {
                if (!part.toString().isEmpty()) {
                    Pinned next = descent.into(here, part);
                    here.close();
                    here = next;
                }
            }
            return here;
        } catch (NotDirectoryException replaced) {
            here.close();
            throw new NotDirectoryException(PathBytes.escaped(directory));
        } catch (IOException | RuntimeException fault) {
            here.close();
            throw fault;
        }
    }

    /**
     * Opens an entry of this directory, even one that is a link itself.
     *
     * @throws NoSuchFileException if it does not exist
     */
    public Pinned child(Path name) throws IOException {
        return open(descriptorOrNone(), name, path.resolve(name));
    }

    /**
     * Opens a directory in this one.
     *
     * @throws NoSuchFileException if it does not exist
     * @throws NotDirectoryException if the entry is a link or no directory
     */
    public Pinned childDirectory(Path name) throws IOException {
        return openDirectory(descriptorOrNone(), name, path.resolve(name));
    }

    private int descriptorOrNone() {
        return reference.map(FileReference::descriptor).orElse(FileReference.NO_DIRECTORY);
    }

    /** Returns whether this directory has an entry, of any kind. */
    public boolean has(Path entry) throws IOException {
        try {
            child(entry).close();
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    private static Pinned open(int directory, Path name, Path whole) throws IOException {
        if (!isByDescriptor()) {
            Files.readAttributes(whole, "isDirectory", LinkOption.NOFOLLOW_LINKS);
            return new Pinned(Optional.empty(), whole, whole);
        }
        return held(FileReference.open(directory, name, whole), whole);
    }

    private static Pinned openDirectory(int directory, Path name, Path whole) throws IOException {
        if (!isByDescriptor()) {
            Pinned found = open(directory, name, whole);
            if (!found.attributes().isDirectory()) {
                throw new NotDirectoryException(PathBytes.escaped(whole));
            }
            return found;
        }
        return held(FileReference.openDirectory(directory, name, whole), whole);
    }

    private static Pinned held(FileReference reference, Path whole) {
        return new Pinned(Optional.of(reference), reference.path(), whole);
    }

    /** Returns whether descriptors keep entries open; otherwise their paths are checked. */
    public static boolean isByDescriptor() {
        return FileReference.isSupported();
    }

    /** Returns the descriptor, for calls of a {@link Kernel}; empty if this has only a path. */
    public OptionalInt descriptor() {
        return reference.isPresent() ? OptionalInt.of(reference.get().descriptor()) : OptionalInt.empty();
    }

    /** Returns the reference; call it only if {@link #isByDescriptor}. */
    FileReference reference() {
        return reference.orElseThrow();
    }

    /**
     * Opens an entry by its path, even one that is a link itself.
     *
     * @param path in a directory that is pinned, or that no command can replace
     * @throws NoSuchFileException if it does not exist
     */
    public static Pinned entry(Path path) throws IOException {
        return open(FileReference.NO_DIRECTORY, path, path);
    }

    /**
     * Sets this entry's permissions, and its owner and group if the JVM may. Does not open it: a command may have put a
     * pipe here, and opening a pipe blocks.
     */
    public void adopt(PosixFileAttributes attributes) throws IOException {
        LinkOption[] links = reference.isEmpty() ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class, links);
        PosixFileAttributes made = view.readAttributes();
        try {
            if (!made.group().equals(attributes.group())) {
                view.setGroup(attributes.group());
            }
            if (!made.owner().equals(attributes.owner())) {
                view.setOwner(attributes.owner());
            }
        } catch (IOException notRoot) {
            LOG.log(Level.DEBUG, "{0} stays with its owner: {1}", name, notRoot.getMessage());
        }
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        permissions.addAll(attributes.permissions());
        view.setPermissions(permissions); // without set-id bits
    }

    /** Returns a path to the file itself; follow it, even if the file is a link. */
    public Path path() {
        return path;
    }

    /** Reads a link's target through the directory from which it was opened, which must still be open. */
    public Path linkTarget() throws IOException {
        return Files.readSymbolicLink(name);
    }

    /** Returns a path to an entry of this directory; the entry itself may be a link. */
    public Path at(Path name) {
        return path.resolve(name);
    }

    public PosixFileAttributes attributes() throws IOException {
        return reference.isEmpty()
                ? Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                : Files.readAttributes(path, PosixFileAttributes.class);
    }

    /** Gives the owner all permissions on a directory, and read and write on a file. */
    public void makeAccessible() throws IOException {
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

    /** Sets the permissions of an entry that is no link. */
    public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        Files.setPosixFilePermissions(path, permissions);
    }

    /** Clears bits of a directory's mode; keeps the others, including the set-group-id bit. */
    public void clearModeBits(int bits) throws IOException {
        int mode = (int) Files.getAttribute(path, "unix:mode");
        Files.setAttribute(path, "unix:mode", mode & ~bits);
    }

    /** Returns the names of this directory's entries, sorted. */
    public List<Path> names() throws IOException {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path.resolve("."))) { // a pipe is no directory
            entries.forEach(entry -> names.add(entry.getFileName()));
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
        names.sort(null);
        return names;
    }

    /** Removes an entry of this directory and its content, if it exists. */
    public void remove(Path entry) throws IOException {
        if (reference.isPresent()) {
            TreeRemoval.remove(Kernel.create(), reference.get().descriptor(), PathBytes.of(entry));
        } else {
            TreeRemoval.remove(at(entry));
        }
    }

    /** Removes an empty subdirectory; never a file or link of that name. */
    public void removeDirectory(Path entry) throws IOException {
        if (reference.isPresent()) {
            Kernel.create().remove(reference.get().descriptor(), PathBytes.of(entry), true);
        } else if (Files.isDirectory(at(entry), LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(at(entry));
        }
    }

    @Override
    public void close() {
        reference.ifPresent(FileReference::close);
    }
}
