package dev.paddock.harness.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Implements {@link Directory} by path, for platforms without {@link java.nio.file.SecureDirectoryStream} (macOS,
 * Windows). Before each operation it checks that the path leads, without a link, to the opened directory. Without
 * descriptors a race remains between the check and the operation: a program that replaces directories by links in a
 * tight loop can win it.
 */
final class CheckedDirectory implements Directory {
    private final Path path;
    private final Object key;

    /** Opens a directory in its current state; its path may contain links. */
    static CheckedDirectory open(Path path) throws IOException {
        Path real = path.toRealPath();
        return new CheckedDirectory(real, key(real));
    }

    private CheckedDirectory(Path path, Object key) {
        this.path = path;
        this.key = key;
    }

    private static Object key(Path path) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            throw new NotDirectoryException(path.toString());
        }
        return Objects.requireNonNullElse(attributes.fileKey(), path); // Windows has no file keys
    }

    private Path checked(String name) throws IOException {
        if (!path.toRealPath().equals(path) || !key(path).equals(key)) {
            throw new FileSystemException(path.toString(), null, "was replaced while it was in use");
        }
        try {
            return path.resolve(EntryName.path(name));
        } catch (InvalidPathException e) {
            throw new FileSystemException(name, null, e.getReason());
        }
    }

    @Override
    public Optional<BasicFileAttributes> attributes(String name) throws IOException {
        try {
            return Optional.of(read(checked(name)));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    @Override
    public BasicFileAttributes attributes() throws IOException {
        return read(checked("."));
    }

    private static BasicFileAttributes read(Path entry) throws IOException {
        Class<? extends BasicFileAttributes> type =
                posix(entry).isPresent() ? PosixFileAttributes.class : BasicFileAttributes.class;
        return Files.readAttributes(entry, type, LinkOption.NOFOLLOW_LINKS);
    }

    private static Optional<PosixFileAttributeView> posix(Path entry) {
        return Optional.ofNullable(
                Files.getFileAttributeView(entry, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
    }

    @Override
    public Directory openDirectory(String name) throws IOException {
        Path directory = checked(name).normalize();
        return new CheckedDirectory(directory, key(directory));
    }

    @Override
    public SeekableByteChannel openFile(String name) throws IOException {
        return Files.newByteChannel(checked(name), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public SeekableByteChannel openToChange(String name) throws IOException {
        return Files.newByteChannel(checked(name), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public SeekableByteChannel createFile(String name, boolean ownerOnly) throws IOException {
        Path file = checked(name);
        Set<OpenOption> options =
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
        return ownerOnly && posix(path).isPresent()
                ? Files.newByteChannel(
                        file,
                        options,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
                : Files.newByteChannel(file, options);
    }

    @Override
    public void move(String from, Directory to, String name) throws IOException {
        Path target = ((CheckedDirectory) to).checked(name);
        Files.move(checked(from), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void deleteFile(String name) throws IOException {
        Files.delete(checked(name));
    }

    @Override
    public void deleteDirectory(String name) throws IOException {
        Files.delete(checked(name));
    }

    @Override
    public void copyMode(PosixFileAttributes from, String name) throws IOException {
        Optional<PosixFileAttributeView> view = posix(checked(name));
        if (view.isPresent()) {
            view.get().setPermissions(from.permissions());
        }
    }

    @Override
    public void copyOwner(PosixFileAttributes from, String name) throws IOException {
        Optional<PosixFileAttributeView> view = posix(checked(name));
        if (view.isPresent()) {
            view.get().setGroup(from.group());
            view.get().setOwner(from.owner());
        }
    }

    /** Returns a path that leads to a directory only: opening a pipe that has replaced it would block. */
    private Path listed() throws IOException {
        return checked("").resolve(".");
    }

    @Override
    public void list(Consumer<String> names) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(listed())) {
            for (Path entry : entries) {
                names.accept(EntryName.of(entry.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    @Override
    public void awaitChanges() throws IOException {
        try (DirectoryStream<Path> fresh = Files.newDirectoryStream(listed())) {
            boolean unused = fresh.iterator().hasNext();
        }
    }

    @Override
    public void close() {
        // Nothing to close: there is only a path.
    }
}
