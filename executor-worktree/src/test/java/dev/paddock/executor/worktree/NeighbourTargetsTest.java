package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests files of the worktree that only the configuration of a repository elsewhere makes git run. */
class NeighbourTargetsTest extends GuardedWorktree {
    private static final String PLANT =
            "mkdir -p hooks; printf '#!/bin/sh\\ntouch ran\\n' > hooks/post-commit; chmod +x hooks/post-commit";
    private static final String COMMIT = "git commit -q --allow-empty -m host";

    private Path other;

    @BeforeEach
    void createNeighbour() throws Exception {
        other = directory.resolve("other");
        shell(directory, "git init -q other && git -C other config core.hooksPath '../work tree/hooks'");
    }

    @Test
    void targetsAreProtectedWhileRepositoryHasSession() throws Exception {
        try (WorktreeGuard neighbour = guarding(other)) {
            assertThat(neighbour.linkedGit()).isEmpty();
            assertThat(command(PLANT)).hasSize(1);
            shell(other, COMMIT);
        }
        assertThat(other.resolve("ran")).doesNotExist();
        assertThat(worktree.resolve("hooks")).doesNotExist();
        assertThat(command(PLANT)).as("as long as this session is open").hasSize(1);
    }

    @Test
    void areProtectedForSessionInLinkedWorktree() throws Exception {
        shell(other, COMMIT + " && git worktree add -q ../linked && git config core.hooksPath '../work tree/hooks'");
        try (WorktreeGuard neighbour = guarding(directory.resolve("linked"))) {
            assertThat(neighbour.linkedGit()).isPresent();
            assertThat(command(PLANT)).hasSize(1);
            shell(directory.resolve("linked"), COMMIT);
        }
        assertThat(directory.resolve("linked/ran")).doesNotExist();
    }

    @Test
    void areProtectedForRepositoriesBelow() throws Exception {
        Path below = other.resolve("deep/below");
        shell(other, "git config --unset core.hooksPath; git init -q deep/below");
        shell(below, "git config core.hooksPath '../../../work tree/hooks'");
        try (WorktreeGuard neighbour = guarding(other)) {
            assertThat(neighbour.linkedGit()).isEmpty();
            assertThat(command(PLANT)).hasSize(1);
            shell(below, COMMIT);
        }
        assertThat(below.resolve("ran")).doesNotExist();
    }

    @Test
    void areProtectedOnceNeighboursConfigurationNamesThem() throws Exception {
        shell(other, "git config --unset core.hooksPath");
        try (WorktreeGuard neighbour = guarding(other)) {
            assertThat(neighbour.linkedGit()).isEmpty();
            assertThat(command("true")).isEmpty();
            shell(other, "git config core.hooksPath '../work tree/hooks'");

            assertThat(command(PLANT)).hasSize(1);
            shell(other, COMMIT);
        }
        assertThat(other.resolve("ran")).doesNotExist();
    }

    /** Positive control: no session is in the repository, whose configuration nobody knows. */
    @Test
    void runWithoutSessionThere() throws Exception {
        assertThat(command(PLANT)).isEmpty();
        shell(other, COMMIT);

        assertThat(other.resolve("ran")).exists();
    }
}
