package dev.paddock.cli.demo;

import dev.paddock.cli.terminal.Style;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A git repository with the sample project, and a worktree of it to work in; in a temporary directory of its own. */
record DemoWorkspace(Path directory, Git git) {

    /**
     * Makes the directory, empty.
     *
     * @throws dev.paddock.executor.ExecutorException if there is no git
     */
    static DemoWorkspace create() throws IOException {
        Git git = new Git();
        return new DemoWorkspace(Files.createTempDirectory("paddock-demo-").toRealPath(), git);
    }

    /** Where the work is done. */
    Path worktree() {
        return directory.resolve("worktree");
    }

    /** Where the session keeps its messages. */
    Path session() {
        return directory.resolve("session");
    }

    /** Puts everything in it. */
    void fill() throws IOException {
        Path repository = Files.createDirectory(directory.resolve("repository"));
        git.run(repository, "init", "--quiet", "--template=", "--initial-branch=main");
        DemoProject.writeTo(repository);
        git.run(repository, "add", "--all");
        git.run(repository, "commit", "--quiet", "--message", "A program and its test, which fails");
        git.run(
                repository,
                "worktree",
                "add",
                "--quiet",
                "-b",
                "demo",
                worktree().toString());
    }

    String diff(Style style) {
        return git.run(worktree(), "diff", "--no-ext-diff", style.isOn() ? "--color=always" : "--color=never");
    }

    /** Removes everything; links are removed and not followed. */
    void remove() throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException fault) throws IOException {
                if (fault != null) {
                    throw fault;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
