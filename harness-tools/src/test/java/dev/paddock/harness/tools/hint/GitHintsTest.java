package dev.paddock.harness.tools.hint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands write the files that a hint is made of: it must not lead a user to anything but git's. */
class GitHintsTest {
    private static final String NO_REPOSITORY =
            "fatal: not a git repository (or any of the parent directories): .git\n";
    private static final String NO_OBJECTS = "error: unable to open object pack directory: /x: Permission denied\n";

    @TempDir
    private Path directory;

    private Path worktree = Path.of("worktree");

    @BeforeEach
    void create() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
    }

    private Path gitDirectory(String name) throws IOException {
        Path git = Files.createDirectories(directory.resolve(name));
        Files.writeString(git.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.createDirectory(git.resolve("objects"));
        Files.createDirectory(git.resolve("refs"));
        return git;
    }

    private void link(Path target) throws IOException {
        Files.deleteIfExists(worktree.resolve(".git"));
        Files.createSymbolicLink(worktree.resolve(".git"), target);
    }

    @Test
    void linkToAnythingButGitDirectoryIsNotNamed() throws IOException {
        link(gitDirectory("git"));
        assertThat(GitHints.after(worktree, NO_REPOSITORY)).isPresent();
        assertThat(GitHints.after(worktree, "fatal: another failure")).isEmpty();
        link(Files.createDirectory(directory.resolve("secrets")));
        assertThat(GitHints.after(worktree, NO_REPOSITORY)).isEmpty();
        link(gitDirectory("$(reboot)"));
        assertThat(GitHints.after(worktree, NO_REPOSITORY)).isEmpty();
        link(directory.resolve("absent"));
        assertThat(GitHints.after(worktree, NO_REPOSITORY)).isEmpty();
    }

    @Test
    void mountOfAnythingButObjectsIsNotNamed() throws IOException {
        Path alternates =
                Files.createDirectories(worktree.resolve(".git/objects/info")).resolve("alternates");
        Path secrets = Files.createDirectories(directory.resolve("secrets/objects"));
        Path objects = gitDirectory("git").resolve("objects");
        Files.writeString(alternates, secrets + "\n" + secrets.getParent() + "\n/\nrelative\n");
        assertThat(GitHints.after(worktree, NO_OBJECTS)).isEmpty();
        Files.writeString(alternates, secrets + "\n" + objects + "\n");
        assertThat(GitHints.after(worktree, NO_OBJECTS).orElseThrow()).contains("--mount " + objects + ":" + objects);
    }

    @Test
    void pipeInPlaceOfFileOfGitsBlocksNoResult() throws Exception {
        Path info = Files.createDirectories(worktree.resolve(".git/objects/info"));
        assertThat(new ProcessBuilder("mkfifo", info.resolve("alternates").toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();

        assertThat(assertTimeoutPreemptively(Duration.ofSeconds(30), () -> GitHints.after(worktree, NO_OBJECTS)))
                .isEmpty();
    }

    @Test
    void partOfRepositoryIsNamedWithItsRoot() throws IOException {
        assertThat(GitHints.after(worktree, NO_REPOSITORY)).isEmpty();
        Files.createDirectory(directory.resolve(".git"));
        assertThat(GitHints.after(worktree, NO_REPOSITORY).orElseThrow()).contains("--worktree " + directory + ";");
    }
}
