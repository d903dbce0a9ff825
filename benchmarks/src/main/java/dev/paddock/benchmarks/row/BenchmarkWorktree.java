package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Provides a worktree to run commands in, and a directory beside it for the measurement's files.
 * Closing it removes both.
 */
public final class BenchmarkWorktree implements AutoCloseable {
    private static final int FILES = 20;

    private final Path root;
    private final Path worktree;

    private BenchmarkWorktree(Path root) throws IOException {
        this.root = root;
        this.worktree = Files.createDirectory(root.resolve("worktree"));
        for (int number = 0; number < FILES; number++) {
            Files.write(
                    worktree.resolve("file-" + number + ".txt"),
                    List.of("first line of " + number, "TODO: the second", "last line"));
        }
    }

    public static BenchmarkWorktree create() throws IOException {
        return new BenchmarkWorktree(Files.createTempDirectory("paddock-bench-").toRealPath());
    }

    public Path worktree() {
        return worktree;
    }

    /** Returns the path of a directory that does not exist yet. */
    Path beside(String name) {
        return root.resolve(name);
    }

    /** Makes a new, empty directory. */
    public Path fresh(String prefix) throws IOException {
        return Files.createTempDirectory(root, prefix);
    }

    @Override
    public void close() {
        try {
            FileTrees.delete(root);
        } catch (IOException fault) {
            throw new UncheckedIOException("the measurements' directory is left behind: " + root, fault);
        }
    }
}
