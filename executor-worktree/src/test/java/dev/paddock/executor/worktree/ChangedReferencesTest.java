package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** References that commands change: git's own changes stay, and a broken list costs no branch. */
class ChangedReferencesTest extends GuardedWorktree {
    private Path packed;

    @BeforeEach
    void packReferences() throws Exception {
        packed = worktree.resolve(".git/packed-refs");
        shell(worktree, "git branch other && git pack-refs --all");
        refresh();
    }

    @Test
    void brokenListOfReferencesIsReplacedByOneBefore() throws Exception {
        String before = Files.readString(packed);

        List<String> notices = command("printf 'x refs/heads/evil\\n' >> .git/packed-refs");

        assertThat(notices).singleElement().asString().contains("packed-refs'", "was restored");
        assertThat(packed).hasContent(before);
        assertThat(inQuarantine("packed-refs")).content().contains("x refs/heads/evil");
        shell(worktree, "git rev-parse -q --verify other");
    }

    @Test
    void changesAndRemovalsOfBranchesStay() throws Exception {
        assertThat(command("git branch -q third && git pack-refs --all && git branch -q -D other"))
                .isEmpty();
        String after = Files.readString(packed);
        assertThat(after).contains("refs/heads/third").doesNotContain("refs/heads/other");

        assertThat(command("printf x > .git/packed-refs")).hasSize(1);
        assertThat(packed).hasContent(after);
        assertThat(command("rm .git/packed-refs")).isEmpty();
        assertThat(packed).doesNotExist();
    }

    @Test
    void brokenListOfCommandsOwnRepositoryIsMoved() throws Exception {
        command("git clone -q . new && cd new && git pack-refs --all");

        assertThat(command("printf x > new/.git/packed-refs"))
                .singleElement()
                .asString()
                .contains("new/.git/packed-refs'");
        assertThat(worktree.resolve("new/.git/packed-refs")).doesNotExist();
        assertThat(command("git -C new config user.email a@b")).isEmpty();
    }

    @Test
    void oddCommitsOfUnfinishedMergeAreMoved() throws Exception {
        assertThat(command("echo '$(evil)' > .git/MERGE_HEAD"))
                .singleElement()
                .asString()
                .contains("MERGE_HEAD'");
        assertThat(worktree.resolve(".git/MERGE_HEAD")).doesNotExist();
    }

    @Test
    void brokenBranchIsReportedAndStays() throws Exception {
        command("git branch -q loose");

        assertThat(command("rm .git/refs/heads/loose; printf x > .git/refs/heads/loose"))
                .singleElement()
                .asString()
                .contains("no reference that git");
        assertThat(worktree.resolve(".git/refs/heads/loose")).exists();
    }
}
