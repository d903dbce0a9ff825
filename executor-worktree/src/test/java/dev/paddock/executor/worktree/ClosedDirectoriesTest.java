package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SpawnException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** No time stamp of such a directory shows what changes in its files, and in the directories in it. */
    @ParameterizedTest
    @CsvSource({
        "hid, mkdir -p hid/sub, git init -q hid/sub; git -C hid/sub config core.fsmonitor evil, ! git -C hid/sub config core.fsmonitor",
        ".vscode, mkdir -p .vscode; echo good > .vscode/tasks.json, echo evil > .vscode/tasks.json, grep good .vscode/tasks.json",
        ".git/hooks, echo good > .git/hooks/pre-commit, echo evil > .git/hooks/pre-commit, grep good .git/hooks/pre-commit",
        ".git/info, mkdir -p .git/info/d, git init -q .git/info/d; echo evil > .git/info/d/.git/config, test ! -e .git/info/d/.git",
    })
    void directoryThatUserLetsNobodyListHidesNothing(String closed, String users, String plant, String check)
            throws Exception {
        String close = users + "; chmod 311 " + closed;
        String open = "chmod 755 " + closed + "; " + check;

        shell(worktree, close);
        commandUnlessRefused(plant);
        shell(worktree, open);
        assertThat(command("true")).as("once it can be listed").isEmpty();

        shell(worktree, close);
        refresh();
        commandUnlessRefused(plant);
        shell(worktree, open);
    }

    private void commandUnlessRefused(String script) throws Exception {
        try {
            command(script);
        } catch (SpawnException refused) {
            assertThat(refused).hasMessageContaining("can be entered but not listed");
        }
    }

    @Test
    void directoryThatCommandLetsNobodyListIsOpened() throws Exception {
        command("mkdir d; chmod 311 d");
        shell(worktree, "ls d; chmod 755 d");

        command("mkdir d/sub; chmod 311 d .");

        shell(worktree, "ls . d");
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
