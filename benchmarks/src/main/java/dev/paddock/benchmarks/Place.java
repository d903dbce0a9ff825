package dev.paddock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A worktree to run commands in, and a directory beside it for what the measuring needs. Gone when it is closed. */
final class Place implements AutoCloseable {
    private static final int FILES = 20;

    private final Path root;
    private final Path worktree;

    private Place(Path root) throws IOException {
        this.root = root;
        this.worktree = Files.createDirectory(root.resolve("worktree"));
        for (int number = 0; number < FILES; number++) {
            Files.write(
                    worktree.resolve("file-" + number + ".txt"),
                    List.of("first line of " + number, "TODO: the second", "last line"));
        }
    }

    static Place create() throws IOException {
        return new Place(Files.createTempDirectory("paddock-bench-").toRealPath());
    }

    Path worktree() {
        return worktree;
    }

    /** A directory that is not there yet. */
    Path beside(String name) {
        return root.resolve(name);
    }

    /** A new directory, which is empty. */
    Path fresh(String prefix) throws IOException {
        return Files.createTempDirectory(root, prefix);
    }

    @Override
    public void close() {
        try {
            Trees.delete(root);
        } catch (IOException fault) {
            throw new UncheckedIOException("the measurements' directory is left behind: " + root, fault);
        }
    }
}
