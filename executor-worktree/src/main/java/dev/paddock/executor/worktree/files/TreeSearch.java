package dev.paddock.executor.worktree.files;

import dev.paddock.executor.path.PathBytes;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** Searches directory trees without following a link. Not thread-safe. */
public final class TreeSearch {
    private final DirectoryReader reader;

    /**
     * Receives the entries of a tree, by absolute paths and names as {@link PathBytes bytes}: a visitor rarely needs a
     * {@link Path}, which costs a young JVM more than reading the entry.
     */
    public interface Visitor {
        /** Receives a readable directory, before its entries. */
        void opened(String directory);

        /** Receives an entry that is no directory, by its directory and its name. */
        void file(String directory, String name);

        /** Receives an entry whose kind, or a directory whose entries cannot be read. */
        void failed(Path entry, IOException fault);
    }

    private TreeSearch(DirectoryReader reader) {
        this.reader = reader;
    }

    /** Creates the fastest search for this machine. */
    public static TreeSearch create() {
        return new TreeSearch(DirectoryReader.create());
    }

    /** Creates a search that uses the JDK alone. */
    static TreeSearch portable() {
        return new TreeSearch(DirectoryReader.portable());
    }

    /**
     * Searches a tree.
     *
     * @param root the absolute path of the start
     * @param initials the first characters of the regular files to be found; those with other names may be omitted.
     *     Empty for all files
     * @param visitor receives the entries, except those that disappear meanwhile
     */
    public void run(Path root, String initials, Visitor visitor) {
        Deque<String> left = new ArrayDeque<>();
        String top = PathBytes.of(root);
        left.push(top);
        try {
            reader.enter(top);
            while (!left.isEmpty()) {
                read(left.pop(), initials, visitor, left);
            }
        } catch (IOException unavailable) {
            visitor.failed(root, unavailable);
        } finally {
            reader.leave();
        }
    }

    private void read(String directory, String initials, Visitor visitor, Deque<String> left) {
        try {
            reader.read(
                    directory,
                    () -> visitor.opened(directory),
                    initials,
                    (name, kind) -> entry(directory, name, kind, visitor, left));
        } catch (NoSuchFileException vanished) {
            // It was removed after its name was read.
        } catch (NotDirectoryException replaced) {
            file(directory, visitor);
        } catch (IOException unreadable) {
            visitor.failed(path(directory), unreadable);
        }
    }

    public static String child(String directory, String name) {
        return directory.endsWith("/")
                ? directory.concat(name)
                : directory.concat("/").concat(name);
    }

    /** Returns the path that a visitor has received as bytes. */
    public static Path path(String bytes) {
        return PathBytes.path(bytes).orElseThrow(); // no path contains NUL
    }

    private static void file(String file, Visitor visitor) {
        int end = file.lastIndexOf('/');
        visitor.file(file.substring(0, Math.max(end, 1)), file.substring(end + 1)); // "/" or the directory
    }

    private static void entry(
            String directory, String name, DirectoryReader.Kind kind, Visitor visitor, Deque<String> left) {
        switch (kind) {
            case DIRECTORY -> left.push(child(directory, name));
            case FILE, LINK, SPECIAL -> visitor.file(directory, name);
            case UNKNOWN -> examine(directory, name, visitor, left);
        }
    }

    private static void examine(String directory, String name, Visitor visitor, Deque<String> left) {
        String entry = child(directory, name);
        try {
            FileStatus.of(path(entry)).ifPresent(status -> {
                if (status.isDirectory()) {
                    left.push(entry);
                } else {
                    visitor.file(directory, name);
                }
            });
        } catch (IOException unreadable) {
            visitor.failed(path(entry), unreadable);
        }
    }
}
