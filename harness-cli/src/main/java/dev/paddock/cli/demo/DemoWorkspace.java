package dev.paddock.cli.demo;

import dev.paddock.cli.terminal.Style;
import dev.paddock.executor.os.file.TreeRemoval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Manages a temporary directory with a git repository of the sample project and a worktree of it.
 */
record DemoWorkspace(Path directory, Git git) {

    /**
     * Creates an empty directory.
     *
     * @throws dev.paddock.executor.ExecutorException if git is not installed
     */
    static DemoWorkspace create() throws IOException {
        Git git = new Git();
        return new DemoWorkspace(Files.createTempDirectory("paddock-demo-").toRealPath(), git);
    }

    /** Returns the worktree in which the model works. */
    Path worktree() {
        return directory.resolve("worktree");
    }

    /** Returns the directory in which the session stores its messages. */
    Path session() {
        return directory.resolve("session");
    }

    /** Creates the repository and its worktree. */
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

    /** Removes the directory, in which a process of the demo may still write. */
    void remove() throws IOException {
        TreeRemoval.remove(directory);
    }
}
