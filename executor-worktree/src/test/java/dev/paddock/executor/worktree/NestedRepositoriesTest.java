package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests repositories that commands make where git's own files stand, or where another one stood. */
class NestedRepositoriesTest extends GuardedWorktree {
    private static final String REPOSITORY_IN_HOOKS =
            "mkdir -p sub .git/hooks/objects .git/hooks/refs; rm -f .git/hooks/*.sample;"
                    + " echo 'ref: refs/heads/main' > .git/hooks/HEAD;"
                    + " printf '[core]\\n\\trepositoryformatversion = 0\\n\\tworktree = ../../sub\\n' > .git/hooks/config;"
                    + " echo 'gitdir: ../.git/hooks' > sub/.git;"
                    + " printf '#!/bin/sh\\ntouch planted\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit";

    @Test
    void repositoryInHooksDirectoryHidesNoHook() throws Exception {
        command(REPOSITORY_IN_HOOKS);

        assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(worktree.resolve("sub/.git")).doesNotExist();
    }

    @Test
    void repositoryInHooksDirectoryLeavesUsersHook() throws Exception {
        shell(worktree, "printf '#!/bin/sh\\ntrue\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");

        command(REPOSITORY_IN_HOOKS);

        shell(worktree, "git commit --allow-empty -qm second");
        assertThat(worktree.resolve("planted")).doesNotExist();
        assertThat(Files.readString(worktree.resolve(".git/hooks/pre-commit"))).contains("true");
    }

    @Test
    void bareRepositoryInHooksOfSubmoduleHidesNoHook() throws Exception {
        shell(worktree, "git init -q --bare .git/modules/x");
        refresh();

        command("cd .git/modules/x/hooks; rm -f *; mkdir objects refs; echo 'ref: refs/heads/main' > HEAD;"
                + " echo evil > pre-commit; chmod +x pre-commit");

        assertThat(worktree.resolve(".git/modules/x/hooks/pre-commit")).doesNotExist();
    }

    /** Git takes a path for a remote, and runs the hooks there on a push. */
    @ParameterizedTest
    @ValueSource(strings = {"objects/ab", "objects/pack", "modules/m/objects/cd"})
    void repositoryAmongObjectsHasNoHook(String place) throws Exception {
        command("mkdir -p .git/" + place);

        command("git init -q --bare .git/" + place + "/x; ln -s .git/" + place + "/x hub; cd hub;"
                + " printf '#!/bin/sh\\ntouch planted\\n' > hooks/pre-receive; chmod +x hooks/pre-receive");

        shell(worktree, "git push -q ./hub main || test ! -e hub/HEAD; test ! -e hub/planted");
    }

    @Test
    void repositoryAmongObjectsOfSharedGitDirectoryIsUnmade() throws Exception {
        Path linked = directory.resolve("linked");
        shell(worktree, "git worktree add -q ../linked");
        guard.close();
        Path common = worktree.resolve(".git");
        try (WorktreeGuard other = guarding(linked)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(common, "git init -q --bare objects/pack/x; echo evil > objects/pack/x/hooks/pre-receive");

            command.settle();
        }

        assertThat(common.resolve("objects/pack/x/HEAD")).doesNotExist();
        assertThat(common.resolve("objects/pack/x/config"))
                .as("what does nothing alone")
                .exists();
    }

    @Test
    void repositoryInPlaceOfRemovedOneIsNew() throws Exception {
        command("git init -q r");
        command("rm -rf r");

        List<String> notices = command("git init -q r && git -C r remote add origin https://example.org/x");

        assertThat(notices).isEmpty();
        assertThat(worktree.resolve("r/.git/config")).content().contains("example.org");
    }

    @Test
    void worktreeInsideBareRepositoryStays() throws Exception {
        shell(worktree, "git clone -q --bare . hub");
        refresh();

        List<String> notices = command("git -C hub worktree add -q topic");

        assertThat(notices).noneMatch(notice -> notice.contains("moved"));
        shell(worktree, "git -C hub/topic status");
    }

    @Test
    void usersUnfinishedRebaseStaysWhileCommandsOverlap() throws Exception {
        shell(worktree, "mkdir .git/rebase-merge && echo 'exec make' > .git/rebase-merge/git-rebase-todo");
        WorktreeGuard.Command one = guard.begin(ProtectionPlan.NONE);
        WorktreeGuard.Command other = guard.begin(ProtectionPlan.NONE);

        assertThat(one.settle()).isEmpty();
        assertThat(other.settle()).isEmpty();

        assertThat(worktree.resolve(".git/rebase-merge/git-rebase-todo")).hasContent("exec make");
    }
}
