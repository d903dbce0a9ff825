package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests files that the user's configuration or links name only after a session has begun. */
class LaterTargetsTest extends GuardedWorktree {
    private static final String PLANT = "echo evil > checks/pre-commit";

    @BeforeEach
    void beginSession() throws Exception {
        shell(worktree, "mkdir checks && echo mine > checks/pre-commit");
        assertThat(command("echo theirs > checks/pre-commit && echo mine > checks/pre-commit"))
                .as("an ordinary file")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git config core.hooksPath checks",
                "git config alias.x '!checks/pre-commit'",
                "printf '[core]\\n\\thooksPath = checks\\n' > ../.gitconfig",
                "git init -q sub && git -C sub config core.hooksPath ../checks",
                "git worktree add -q inner && git config core.hooksPath \"$PWD/checks\"",
                "ln -s ../../checks/pre-commit .git/hooks/pre-commit",
                "ln -s checks/pre-commit .envrc",
                "ln -s checks .vscode",
                "mkdir own && ln -s ../checks/pre-commit own/pre-commit && git config core.hooksPath own",
                "git config include.path ../more && printf '[core]\\n\\thooksPath = checks\\n' > more"
            })
    void areProtectedFromNextCommandOn(String users) throws Exception {
        shell(worktree, users);

        assertThat(guard.isKept(worktree.resolve("checks/pre-commit"))).isTrue();
        assertThat(command(PLANT)).hasSize(1);
        assertThat(worktree.resolve("checks/pre-commit")).hasContent("mine");
        assertThat(command("true")).isEmpty();
        assertThat(guard.plan().readOnly()).anyMatch(path -> path.startsWith(worktree.resolve("checks")));
    }

    @Test
    void whatCommandCreatesThereIsMoved() throws Exception {
        shell(worktree, "rm -r checks && git config core.hooksPath checks");

        assertThat(command("mkdir checks; " + PLANT)).hasSize(1);
        assertThat(worktree.resolve("checks")).doesNotExist();
    }

    @Test
    void areOrdinaryFilesAgainOnceNothingNamesThem() throws Exception {
        shell(worktree, "git config core.hooksPath checks");
        assertThat(command(PLANT)).hasSize(1);
        shell(worktree, "git config --unset core.hooksPath");

        assertThat(command(PLANT)).isEmpty();
        assertThat(worktree.resolve("checks/pre-commit")).hasContent("evil");
        assertThat(guard.isKept(worktree.resolve("checks/pre-commit"))).isFalse();
    }

    /** What a command writes into the configuration is undone, and names nothing. */
    @Test
    void areNotWhatCommandNames() throws Exception {
        WorktreeGuard.Command live = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "git config core.hooksPath checks");
        assertThat(guard.isKept(worktree.resolve("checks/pre-commit"))).isFalse();
        assertThat(live.settle()).hasSize(1);

        assertThat(command(PLANT)).isEmpty();
    }

    @Test
    void attributesThatNameDriverOfLaterConfigurationAreReported() throws Exception {
        shell(worktree, "git config filter.x.clean cat && echo '*.y filter=y' > .gitattributes");
        assertThat(command("echo '*.x filter=x' >> .gitattributes"))
                .singleElement()
                .asString()
                .contains("filter=x");

        shell(worktree, "git config filter.y.clean cat");
        assertThat(command("echo >> .gitattributes")).isEmpty();
    }
}
