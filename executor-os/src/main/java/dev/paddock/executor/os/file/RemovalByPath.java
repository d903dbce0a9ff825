package dev.paddock.executor.os.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Removes a tree by its paths, where the kernel's calls on open directories cannot be made, as on macOS. First renames
 * the directories whose paths commands know: a sandbox that checks each path at its use, as macOS's does, then denies
 * commands the tree.
 */
final class RemovalByPath {
    private static final Set<PosixFilePermission> OWN_ALONE = PosixFilePermissions.fromString("rwx------");

    private RemovalByPath() {}

    /**
     * Removes a directory, if it exists.
     *
     * @param last the name of a file in it that is removed after all others; empty for none
     * @param most how long it may take
     */
    static void remove(Path directory, String last, Duration most) throws IOException {
        long begun = System.nanoTime();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(directory);
            return;
        }
        Path lastFile = directory.resolve(last);
        int number = 0;
        for (Path known : children(directory)) {
            if (Files.isDirectory(known, LinkOption.NOFOLLOW_LINKS)) {
                // Not Files.move, which refuses a directory that its owner may not write to.
                if (!known.toFile()
                        .renameTo(directory.resolve("removed-" + number++).toFile())) {
                    throw new IOException("'" + known + "' cannot be renamed");
                }
            }
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) throws IOException {
                requireTime();
                for (Path child : children(entered)) {
                    if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                        Files.setPosixFilePermissions(child, OWN_ALONE);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                requireTime();
                if (!file.equals(lastFile)) {
                    Files.delete(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException fault) throws IOException {
                if (left.equals(directory) && !last.isEmpty()) {
                    Files.deleteIfExists(lastFile);
                }
                Files.delete(left);
                return FileVisitResult.CONTINUE;
            }

            private void requireTime() throws IOException {
                if (System.nanoTime() - begun > most.toNanos()) {
                    throw new Fault(Fault.ETIMEDOUT).at(directory.toString());
                }
            }
        });
    }

    private static List<Path> children(Path directory) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(children::add);
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
        return children;
    }
}
