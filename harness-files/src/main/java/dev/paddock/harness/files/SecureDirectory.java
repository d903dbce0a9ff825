package dev.paddock.harness.files;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.os.file.RegularFile;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Implements {@link Directory} by a descriptor: {@code openat}, {@code fstatat} and {@code renameat}, each without
 * following links. Where the C library can be called, opens only regular files and directories; otherwise a pipe that
 * replaces one during the call blocks.
 */
final class SecureDirectory implements Directory {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> WRITE = Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    private final Optional<Pinned> reference;
    private final SecureDirectoryStream<Path> stream;
    private final ReadWriteLock closing = new ReentrantReadWriteLock();
    private boolean closed;

    private SecureDirectory(Optional<Pinned> reference, SecureDirectoryStream<Path> stream) {
        this.reference = reference;
        this.stream = stream;
    }

    /**
     * Opens a directory by its path, following links; returns empty where the platform has no directory
     * descriptors.
     */
    @SuppressWarnings("StreamResourceLeak") // the result owns it
    static Optional<Directory> open(Path path) throws IOException {
        if (Pinned.isByDescriptor()) {
            return Optional.of(opened(Pinned.entry(path.toRealPath()), path));
        }
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return Optional.of(new SecureDirectory(Optional.empty(), secure));
        }
        stream.close();
        return Optional.empty();
    }

    /** Opens the directory of a reference, and closes the reference if that fails. */
    @SuppressWarnings("StreamResourceLeak") // the result owns it
    private static Directory opened(Pinned reference, Path name) throws IOException {
        try {
            if (!reference.attributes().isDirectory()) {
                throw new NotDirectoryException(EntryName.of(name));
            }
            // Linux has such streams
            return new SecureDirectory(
                    Optional.of(reference), (SecureDirectoryStream<Path>) Files.newDirectoryStream(reference.path()));
        } catch (IOException | RuntimeException fault) {
            reference.close();
            throw fault;
        }
    }

    @Override
    public Optional<BasicFileAttributes> attributes(String name) throws IOException {
        try {
            return Optional.of(view(name).readAttributes());
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    @Override
    public BasicFileAttributes attributes() throws IOException {
        PosixFileAttributeView posix = stream.getFileAttributeView(PosixFileAttributeView.class);
        return posix != null
                ? posix.readAttributes()
                : stream.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        Path path = entry(name);
        return reference.isPresent()
                ? held(reference.get(), directory -> opened(directory.child(path), path))
                : new SecureDirectory(Optional.empty(), secure(path));
    }

    private interface Action<T> {
        T on(Pinned directory) throws IOException;
    }

    /** Runs an action while no other thread closes the descriptor: its number would be reused. */
    private <T> T held(Pinned directory, Action<T> action) throws IOException {
        closing.readLock().lock();
        try {
            if (closed) {
                throw new ClosedDirectoryStreamException();
            }
            return action.on(directory);
        } finally {
            closing.readLock().unlock();
        }
    }

    private static Path entry(String name) throws IOException {
        try {
            return EntryName.path(name);
        } catch (InvalidPathException e) {
            throw new FileSystemException(name, null, e.getReason());
        }
    }

    private SecureDirectoryStream<Path> secure(Path name) throws IOException {
        return stream.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public SeekableByteChannel openFile(String name) throws IOException {
        Path path = entry(name);
        return reference.isPresent()
                ? held(reference.get(), directory -> RegularFile.openEntry(directory, path, StandardOpenOption.READ))
                : stream.newByteChannel(path, READ);
    }

    @Override
    public SeekableByteChannel openToChange(String name) throws IOException {
        Path path = entry(name);
        return reference.isPresent()
                ? held(reference.get(), directory -> RegularFile.openEntry(directory, path, StandardOpenOption.WRITE))
                : stream.newByteChannel(path, WRITE);
    }

    @Override
    public SeekableByteChannel createFile(String name, boolean ownerOnly) throws IOException {
        return ownerOnly
                ? stream.newByteChannel(entry(name), CREATE, OWNER_ONLY)
                : stream.newByteChannel(entry(name), CREATE);
    }

    @Override
    public void move(String from, Directory to, String name) throws IOException {
        stream.move(entry(from), ((SecureDirectory) to).stream, entry(name));
    }

    @Override
    public void deleteFile(String name) throws IOException {
        stream.deleteFile(entry(name));
    }

    @Override
    public void deleteDirectory(String name) throws IOException {
        stream.deleteDirectory(entry(name));
    }

    @Override
    public void copyMode(PosixFileAttributes from, String name) throws IOException {
        if (view(name) instanceof PosixFileAttributeView posix) {
            posix.setPermissions(from.permissions());
        }
    }

    @Override
    public void copyOwner(PosixFileAttributes from, String name) throws IOException {
        if (view(name) instanceof PosixFileAttributeView posix) {
            posix.setGroup(from.group());
            posix.setOwner(from.owner());
        }
    }

    private BasicFileAttributeView view(String name) throws IOException {
        Path path = entry(name);
        BasicFileAttributeView posix =
                stream.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        return posix != null
                ? posix
                : stream.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void list(Consumer<String> names) throws IOException {
        try (DirectoryStream<Path> fresh = secure(entry("."))) { // a stream iterates only once
            for (Path path : fresh) {
                names.accept(EntryName.of(path.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    /** The kernel lists a directory, and changes its entries, under the directory's lock. */
    @Override
    public void awaitChanges() throws IOException {
        try (DirectoryStream<Path> fresh = secure(entry("."))) {
            boolean unused = fresh.iterator().hasNext(); // reads the first entries, not all
        }
    }

    @Override
    public void close() throws IOException {
        closing.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                reference.ifPresent(Pinned::close);
            }
        } finally {
            closing.writeLock().unlock();
        }
        stream.close();
    }
}
