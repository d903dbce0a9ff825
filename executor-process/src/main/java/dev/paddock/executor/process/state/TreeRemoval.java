package dev.paddock.executor.process.state;

import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes a directory tree that commands could write to, from open directory to open directory and
 * without following links: a process that a command has left running can replace any directory with
 * a link at any moment, and the removal has the JVM's rights.
 */
final class TreeRemoval {
    private static final System.Logger LOG = LateLogger.of(TreeRemoval.class);

    /** No file has this name. */
    private static final String NONE = "..";

    private static final Set<PosixFilePermission> OWN_ALONE = PosixFilePermissions.fromString("rwx------");

    private TreeRemoval() {}

    /**
     * Removes a directory tree.
     *
     * @param last the name of a file in the directory that is removed after all others: it stays if one
     *     of them cannot be removed or the JVM is killed before
     */
    static void remove(Path directory, String last) throws IOException {
        Path parent = directory.getParent();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent == null ? directory : parent)) {
            if (stream instanceof SecureDirectoryStream<Path> safe) {
                remove(safe, directory.getFileName(), directory, last);
            } else {
                removeOutOfReach(directory, last);
            }
        } catch (NoSuchFileException absent) {
            LOG.log(Level.DEBUG, () -> directory + " has been removed already: " + absent);
        }
    }

    private static void remove(SecureDirectoryStream<Path> parent, Path name, Path path, String last)
            throws IOException {
        boolean directory = parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .isDirectory();
        if (!directory) {
            parent.deleteFile(name);
            return;
        }
        try (SecureDirectoryStream<Path> entered = enter(parent, name, path)) {
            // Some programs make their caches read-only, and no file can be removed from a
            // read-only directory.
            entered.getFileAttributeView(PosixFileAttributeView.class).setPermissions(OWN_ALONE);
            boolean lastIsThere = false;
            for (Path child : entered) {
                if (child.endsWith(last)) {
                    lastIsThere = true;
                } else {
                    remove(entered, child.getFileName(), path.resolve(child.getFileName()), NONE);
                }
            }
            if (lastIsThere) {
                entered.deleteFile(Path.of(last));
            }
        }
        parent.deleteDirectory(name);
    }

    /** Opens a directory, also one whose permissions a command has closed to its owner. */
    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> parent, Path name, Path path)
            throws IOException {
        try {
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (AccessDeniedException closed) {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(path, OWN_ALONE);
            }
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        }
    }

    /**
     * Removes a tree where directories can only be entered by path, as on macOS: renames the
     * directory that commands know by its path first, so that no command can follow. That holds for
     * a sandbox that compares paths when they are used, as macOS's does.
     */
    static void removeOutOfReach(Path directory, String last) throws IOException {
        Path lastFile = directory.resolve(last);
        int number = 0;
        for (Path known : children(directory)) {
            if (Files.isDirectory(known, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(known, directory.resolve("removed-" + number++));
            }
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) throws IOException {
                for (Path child : children(entered)) {
                    if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                        Files.setPosixFilePermissions(child, OWN_ALONE);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!file.equals(lastFile)) {
                    Files.delete(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException fault) throws IOException {
                if (left.equals(directory)) {
                    Files.deleteIfExists(lastFile);
                }
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static List<Path> children(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        }
        return children;
    }
}
