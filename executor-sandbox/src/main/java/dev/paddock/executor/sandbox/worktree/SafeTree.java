package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Moves and copies files below a directory in which commands are running. A command can replace any
 * directory with a link at any moment, so a path that was checked a moment ago may lead elsewhere
 * now: this class goes from open directory to open directory and follows no link.
 */
final class SafeTree implements AutoCloseable {
    private final Path root;
    private final Deque<SecureDirectoryStream<Path>> opened = new ArrayDeque<>();

    private SafeTree(Path root) throws IOException {
        this.root = root;
        opened.push(openRoot(root));
    }

    /**
     * Opens a directory below a root, or the root itself.
     *
     * @param root a directory whose own path no command can change
     * @throws NotDirectoryException if a part of the path is a link or no directory
     */
    static SafeTree open(Path root, Path directory) throws IOException {
        SafeTree tree = new SafeTree(root);
        try {
            for (Path part : root.relativize(directory)) {
                if (!part.toString().isEmpty()) {
                    tree.descend(part);
                }
            }
            return tree;
        } catch (IOException | RuntimeException fault) {
            tree.close();
            throw fault;
        }
    }

    @SuppressWarnings("StreamResourceLeak") // the tree owns it, and closes it
    private static SecureDirectoryStream<Path> openRoot(Path root) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(root);
        if (stream instanceof SecureDirectoryStream<Path> safe) {
            return safe;
        }
        stream.close();
        throw new IOException("this platform has no way to enter '" + root + "' without following links");
    }

    private void descend(Path name) throws IOException {
        opened.push(here().newDirectoryStream(name.getFileName(), LinkOption.NOFOLLOW_LINKS));
    }

    private SecureDirectoryStream<Path> here() {
        return opened.element();
    }

    /**
     * Moves an entry into one of Paddock's own directories: by renaming, or across file systems by
     * copying and deleting.
     */
    void moveOut(Path name, Path target) throws IOException {
        try (SafeTree destination = new SafeTree(parentOf(target))) {
            try {
                here().move(name, destination.here(), target.getFileName());
            } catch (NoSuchFileException gone) {
                throw gone;
            } catch (IOException otherFileSystem) {
                copy(here(), name, target);
                delete(here(), name);
            }
        }
    }

    /**
     * Copies one of Paddock's own trees to an entry that does not exist.
     *
     * <p>Java cannot create a directory relative to an open one, and by path it might be created
     * elsewhere. Commands cannot change the root's own path, so each directory is created there
     * under a unique name, filled, and moved.
     */
    void copyIn(Path source, Path name) throws IOException {
        if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            writeFile(source, name);
            return;
        }
        Path made = Files.createTempDirectory(root, ".paddock-restore-");
        try (SafeTree directory = open(root, made);
                DirectoryStream<Path> children = Files.newDirectoryStream(source)) {
            for (Path child : children) {
                directory.copyIn(child, child.getFileName());
            }
        }
        try (SafeTree top = open(root, root)) {
            top.here()
                    .getFileAttributeView(made.getFileName(), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setPermissions(Files.getPosixFilePermissions(source));
            top.here().move(made.getFileName(), here(), name);
        }
    }

    private void writeFile(Path source, Path name) throws IOException {
        Set<StandardOpenOption> create = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel from = Files.newByteChannel(source);
                SeekableByteChannel to = here().newByteChannel(name, create)) {
            transfer(from, to);
        }
        here().getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setPermissions(Files.getPosixFilePermissions(source));
    }

    private static void copy(SecureDirectoryStream<Path> from, Path name, Path target) throws IOException {
        BasicFileAttributes attributes = attributes(from, name);
        if (attributes.isDirectory()) {
            Files.createDirectory(target);
            try (SecureDirectoryStream<Path> inside = from.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                for (Path child : inside) {
                    copy(inside, child.getFileName(), target.resolve(child.getFileName()));
                }
            }
            copyPermissions(from, name, target);
        } else if (attributes.isRegularFile()) {
            Set<OpenOption> read = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            Set<StandardOpenOption> create = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (SeekableByteChannel source = from.newByteChannel(name, read);
                    SeekableByteChannel copy = Files.newByteChannel(target, create)) {
                transfer(source, copy);
            }
            copyPermissions(from, name, target);
        } else {
            // Only the name and kind of a link, a pipe or a socket are recorded; none of them is
            // followed.
            Files.writeString(target, "not a regular file\n");
        }
    }

    private static void copyPermissions(SecureDirectoryStream<Path> from, Path name, Path target) throws IOException {
        Set<PosixFilePermission> permissions = from.getFileAttributeView(
                        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .permissions();
        Files.setPosixFilePermissions(target, permissions);
    }

    private static void delete(SecureDirectoryStream<Path> from, Path name) throws IOException {
        if (!attributes(from, name).isDirectory()) {
            from.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> inside = from.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path child : inside) {
                delete(inside, child.getFileName());
            }
        }
        from.deleteDirectory(name);
    }

    private static void transfer(SeekableByteChannel from, SeekableByteChannel to) throws IOException {
        ByteBuffer block = ByteBuffer.allocate(1 << 16);
        while (from.read(block) >= 0) {
            block.flip();
            while (block.hasRemaining()) {
                to.write(block);
            }
            block.clear();
        }
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static Path parentOf(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IOException("the root has no parent");
        }
        return parent;
    }

    @Override
    public void close() throws IOException {
        for (SecureDirectoryStream<Path> stream : opened) {
            stream.close();
        }
    }
}
