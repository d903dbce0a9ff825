package dev.paddock.executor.sandbox.worktree.files;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches directory trees without following a link: by the kernel's own lists of entries, or with
 * the JDK where the C library cannot be called.
 *
 * <p>Not safe for use by several threads.
 */
public final class TreeSearch {
    private final Optional<DirectoryReader> reader;

    /** Receives the entries of a tree. */
    public interface Visitor {
        /** Receives a directory that can be read, before any of its entries is. */
        void opened(Path directory);

        /** Receives an entry that is no directory. */
        void file(Path file);

        /** Receives an entry whose kind, or a directory whose entries cannot be read. */
        void failed(Path entry, IOException fault);
    }

    private TreeSearch(Optional<DirectoryReader> reader) {
        this.reader = reader;
    }

    /** Creates the search that is the fastest on this machine. */
    public static TreeSearch create() {
        return new TreeSearch(DirectoryReader.create());
    }

    /** Creates a search that uses the JDK alone. */
    static TreeSearch portable() {
        return new TreeSearch(Optional.empty());
    }

    /**
     * Searches a tree.
     *
     * @param root where to start: an absolute path
     * @param initials the first characters of the files to be found; files with other names may be
     *     left out. Empty for all files
     * @param visitor receives the entries; one that disappears meanwhile is left out
     * @throws IOException if the visitor throws it
     */
    public void run(Path root, String initials, Visitor visitor) throws IOException {
        if (reader.isEmpty()) {
            Files.walkFileTree(root, new PortableVisitor(visitor));
            return;
        }
        DirectoryReader.Selection selection =
                initials.isEmpty() ? DirectoryReader.Selection.ALL : DirectoryReader.Selection.beginningWith(initials);
        Deque<Path> left = new ArrayDeque<>();
        left.push(root);
        while (!left.isEmpty()) {
            read(reader.get(), left.pop(), selection, visitor, left);
        }
    }

    private static void read(
            DirectoryReader reader,
            Path directory,
            DirectoryReader.Selection selection,
            Visitor visitor,
            Deque<Path> left) {
        try {
            reader.read(
                    PathBytes.of(directory),
                    () -> visitor.opened(directory),
                    selection,
                    (name, kind) -> entry(child(directory, name), kind, visitor, left));
        } catch (NoSuchFileException vanished) {
            // Somebody has removed it since its name was read.
        } catch (NotDirectoryException replaced) {
            visitor.file(directory);
        } catch (IOException unreadable) {
            visitor.failed(directory, unreadable);
        }
    }

    private static Path child(Path directory, String name) {
        return directory.resolve(PathBytes.path(name).orElseThrow()); // a name contains no NUL
    }

    private static void entry(Path entry, DirectoryReader.Kind kind, Visitor visitor, Deque<Path> left) {
        switch (kind) {
            case DIRECTORY -> left.push(entry);
            case OTHER -> visitor.file(entry);
            case UNKNOWN -> examine(entry, visitor, left);
        }
    }

    private static void examine(Path entry, Visitor visitor, Deque<Path> left) {
        try {
            FileStatus.of(entry).ifPresent(status -> {
                if (status.isDirectory()) {
                    left.push(entry);
                } else {
                    visitor.file(entry);
                }
            });
        } catch (IOException unreadable) {
            visitor.failed(entry, unreadable);
        }
    }

    private static final class PortableVisitor extends SimpleFileVisitor<Path> {
        private final Visitor visitor;

        PortableVisitor(Visitor visitor) {
            this.visitor = visitor;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            visitor.opened(directory);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            visitor.file(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException fault) {
            if (!(fault instanceof NoSuchFileException)) {
                visitor.failed(file, fault);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException fault) {
            return fault == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, fault);
        }
    }
}
