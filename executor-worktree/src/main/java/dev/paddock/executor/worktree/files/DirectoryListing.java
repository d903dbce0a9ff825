package dev.paddock.executor.worktree.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists directories that commands may be replacing meanwhile. */
public final class DirectoryListing {

    private DirectoryListing() {}

    /**
     * Returns the entries of a directory. Opens it by a path that ends in a dot, which the kernel
     * refuses if a command has put a pipe in its place: opening a pipe would block until somebody
     * writes to it.
     *
     * @return the entries' paths, in order
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws IOException if it is no directory, or cannot be read
     */
    public static List<Path> of(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory.resolve("."))) {
            for (Path entry : entries) {
                found.add(directory.resolve(entry.getFileName()));
            }
        } catch (DirectoryIteratorException fault) {
            throw fault.getCause();
        }
        found.sort(null);
        return found;
    }
}
