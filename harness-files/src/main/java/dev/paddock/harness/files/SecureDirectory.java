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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Implements {@link Directory} by a descriptor: {@code openat}, {@code fstatat} and
 * {@code renameat}, each without following links.
 */
final class SecureDirectory implements Directory {
    private static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    private static final Set<OpenOption> CREATE =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));

    private final SecureDirectoryStream<Path> stream;

    private SecureDirectory(SecureDirectoryStream<Path> stream) {
        this.stream = stream;
    }

    /** Opens a directory; returns empty where the platform has no directory descriptors. */
    @SuppressWarnings("StreamResourceLeak") // the result owns it
    static Optional<Directory> open(Path path) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return Optional.of(new SecureDirectory(secure));
        }
        stream.close();
        return Optional.empty();
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
        return new SecureDirectory(secure(entry(name)));
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
        return stream.newByteChannel(entry(name), READ);
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
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> fresh = secure(entry("."))) { // a stream iterates only once
            for (Path path : fresh) {
                names.add(EntryName.of(path.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
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
        stream.close();
    }
}
