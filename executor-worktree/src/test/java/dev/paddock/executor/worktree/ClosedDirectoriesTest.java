package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/**
 * Tests directories that a command, or the user, closes to their owner. Root may enter every directory, so that
 * these tests distinguish right from wrong only as an ordinary user.
 */
class ClosedDirectoriesTest extends GuardedWorktree {
    private static final String EVIL = "core.fsmonitor evil";

    @Test
    void manyClosedDirectoriesInGitDirectoryDoNotKeepItFromBeingSettled() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));

        command("git config " + EVIL + "; mkdir -p .git/x/1/2/3/4/5/6/7/8; for d in 8 7 6 5 4 3 2 1; do"
                + " chmod 0 $(find .git/x -depth -name $d); done; chmod 0 .git/x");

        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void repositoryBelowManyClosedDirectoriesIsFound() throws Exception {
        command("mkdir -p 0/1/2/3/4/5/6/7/8; git init -q 0/1/2/3/4/5/6/7/8; git -C 0/1/2/3/4/5/6/7/8 config " + EVIL
                + "; for d in 8 7 6 5 4 3 2 1 0; do chmod 111 $(find 0 -depth -name $d -type d); done");

        shell(worktree, "chmod -R 755 0; ! git -C 0/1/2/3/4/5/6/7/8 config core.fsmonitor");
    }

    @Test
    void repositoryThatIsCreatedInDirectoryThatIsThenClosedIsFound() throws Exception {
        command("mkdir p q");

        command("git init -q p; git -C p config " + EVIL + "; git init -q q/r; git -C q/r config " + EVIL
                + "; chmod 0 p q");
        command("chmod 755 p q");

        shell(worktree, "! git -C p config core.fsmonitor");
        shell(worktree, "! git -C q/r config core.fsmonitor");
    }

    @Test
    void repositoryThatLosesItsHeadInDirectoryThatIsThenClosedIsFound() throws Exception {
        command("git init -q p; touch p/HEAD");

        command("rm p/HEAD; chmod 0 p");
        command("chmod 755 p; git -C p config " + EVIL);

        shell(worktree, "! git -C p config core.fsmonitor");
    }

    @Test
    void closedRepositoryIsOpenedAndPoisonsNothing() throws Exception {
        command("git init -q p");

        command("git -C p config " + EVIL + "; chmod 0 p");

        assertThat(command("true")).isEmpty();
        shell(worktree, "! git -C p config core.fsmonitor");
    }

    @Test
    void directoryThatUserHasClosedStaysClosedAfterKill() throws Exception {
        shell(worktree, "mkdir closed && chmod 000 closed");
        guard.close();
        abandon(worktree, "true");

        guard = guarding(worktree);

        assertThat(command("true")).isEmpty();
    }

    @Test
    void filesInDirectoryThatCannotBeEnteredStay() throws Exception {
        command("mkdir d; echo 1 > d/1; echo 2 > d/2; chmod 644 d");

        shell(worktree, "chmod 755 d");
        assertThat(worktree.resolve("d/1")).hasContent("1");
        assertThat(worktree.resolve("d/2")).hasContent("2");
    }
}
