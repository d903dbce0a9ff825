package dev.paddock.executor.worktree.files;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;

/**
 * Copies files and directory trees that commands can change meanwhile: goes from one pinned directory to the next and
 * opens only regular files, so that no link redirects it and no pipe blocks it.
 */
public final class Trees {
    /** Deeper directories are refused: each level keeps a descriptor open. */
    private static final int MAX_DEPTH = 512;

    /** Leaves room for the path of the copy's directory: the kernel takes no path of more than 4095 bytes. */
    private static final int MAX_PATH_LENGTH = 3_000;

    private static final byte[] ZEROS = new byte[1 << 16];

    private static final Logger LOG = LateLogger.of(Trees.class);
    private static final Set<PosixFilePermission> OWN = PosixFilePermissions.fromString("rwx------");

    private Trees() {}

    /** Reports a tree that is too large or too deep to be copied. */
    public static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1;

        TooLarge(String message) {
            super(message);
        }
    }

    /** The bytes and entries that a copy may still have. */
    public static final class Budget {
        private long bytes;
        private long entries;

        public Budget(long bytes, long entries) {
            this.bytes = bytes;
            this.entries = entries;
        }

        private void take(long taken) throws TooLarge {
            bytes -= taken;
            entries--;
            if (bytes < 0 || entries < 0) {
                throw new TooLarge("it has too many bytes or files to be copied");
            }
        }
    }

    /**
     * Copies a file, link or directory with its permissions, and its owner if the JVM may set it. Skips pipes, sockets
     * and devices.
     *
     * @param source the original
     * @param parent receives the copy; a copied directory is pinned, too, before anything is written in it
     * @param name an unused name in the parent
     * @throws TooLarge if the budget does not suffice, or the tree is too deep or has too long paths
     * @throws NotDirectoryException if a command has replaced a directory that was just made
     */
    public static void copy(Pinned source, Pinned parent, Path name, Budget budget) throws IOException {
        copy(source, parent, name, budget, 0, 0);
    }

    private static void copy(Pinned source, Pinned parent, Path name, Budget budget, int depth, int above)
            throws IOException {
        int length = above + 1 + PathBytes.of(name).length();
        if (length > MAX_PATH_LENGTH) {
            throw new TooLarge("it has paths of more than " + MAX_PATH_LENGTH + " bytes");
        }
        PosixFileAttributes attributes = source.attributes();
        budget.take(attributes.isRegularFile() ? attributes.size() : 0);
        if (attributes.isSymbolicLink()) {
            Files.createSymbolicLink(parent.at(name), source.linkTarget());
        } else if (attributes.isRegularFile()) {
            copyFile(source, parent.at(name), attributes.size() + budget.bytes);
            try (Pinned made = parent.child(name)) {
                made.adopt(attributes);
            }
        } else if (attributes.isDirectory()) {
            if (depth > MAX_DEPTH) {
                throw new TooLarge("it has more than " + MAX_DEPTH + " levels of directories");
            }
            Files.createDirectory(parent.at(name), PosixFilePermissions.asFileAttribute(OWN));
            try (Pinned made = parent.childDirectory(name)) {
                for (Path entry : source.names()) {
                    try (Pinned child = source.child(entry)) {
                        copy(child, made, entry, budget, depth + 1, length);
                    }
                }
                made.adopt(attributes);
            }
        }
    }

    /** Copies a file; blocks of zeros become holes, since a command chooses its size. */
    private static void copyFile(Pinned source, Path target, long limit) throws IOException {
        try (InputStream input = Files.newInputStream(source.path());
                SeekableByteChannel output = Files.newByteChannel(
                        target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            byte[] block = new byte[ZEROS.length];
            long copied = 0;
            for (int count = input.read(block); count >= 0; count = input.read(block)) {
                if (copied + count > limit) {
                    throw new TooLarge("it grows while it is copied");
                }
                if (!Arrays.equals(block, 0, count, ZEROS, 0, count)) {
                    write(output, copied, ByteBuffer.wrap(block, 0, count));
                }
                copied += count;
            }
            if (output.size() < copied) {
                write(output, copied - 1, ByteBuffer.allocate(1));
            }
        }
    }

    private static void write(SeekableByteChannel output, long position, ByteBuffer bytes) throws IOException {
        output.position(position);
        while (bytes.hasRemaining()) {
            output.write(bytes);
        }
    }

    /**
     * Gives the owner all permissions on a directory, and on those below it that cannot be listed or entered.
     *
     * @throws TooLarge if the tree is too deep
     */
    public static void open(Pinned directory) throws IOException {
        directory.makeAccessible();
        openBelow(directory, 0);
    }

    private static void openBelow(Pinned directory, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw new TooLarge("it has more than " + MAX_DEPTH + " levels of directories");
        }
        if (!Files.isReadable(directory.path()) || !Files.isExecutable(directory.path())) {
            directory.makeAccessible();
        }
        for (Path name : directory.names()) {
            try (Pinned child = directory.child(name)) {
                if (child.attributes().isDirectory()) {
                    openBelow(child, depth + 1);
                }
            } catch (NoSuchFileException removed) {
                LOG.log(Level.TRACE, "A live command has removed {0}", name);
            }
        }
    }
}
