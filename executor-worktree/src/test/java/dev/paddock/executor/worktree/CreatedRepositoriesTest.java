package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests repositories that an earlier command of the session has created, as long as nobody else configures them. */
class CreatedRepositoriesTest extends GuardedWorktree {
    private Path config;

    @BeforeEach
    void create() throws Exception {
        assertThat(command("git init -q -b main new")).isEmpty();
        config = worktree.resolve("new/.git/config");
        waitForTick(config);
    }

    @Test
    void laterCommandsGoOnToConfigureThem() throws Exception {
        assertThat(command("git -C new remote add origin https://example.org/x.git"))
                .isEmpty();
        assertThat(command("cd new; git config user.email a@example.org; git branch -m trunk"
                        + "; printf '#!/bin/sh\\ngit lfs post-commit \"$@\"\\n' > .git/hooks/post-commit"))
                .isEmpty();
        assertThat(command("cd new; echo a > a; git add a; git commit -qm a --no-verify; git gc -q"))
                .isEmpty();

        assertThat(config).content().contains("https://example.org/x.git", "a@example.org");
        assertThat(worktree.resolve("new/.git/hooks/post-commit")).exists();
    }

    private static boolean isAboutData(String notice) {
        return notice.endsWith("/.git/lfs': Git LFS keeps its data there.");
    }

    @Test
    void filterOfGitLfsStays() throws Exception {
        String install =
                "git lfs install --local > /dev/null; git lfs install --local --skip-smudge --force > /dev/null";
        assertThat(command("cd new; " + install)).allMatch(CreatedRepositoriesTest::isAboutData);
        assertThat(command("git init -q fresh; cd fresh; " + install)).allMatch(CreatedRepositoriesTest::isAboutData);

        for (String repository : new String[] {"new", "fresh"}) {
            assertThat(worktree.resolve(repository).resolve(".git/config"))
                    .content()
                    .contains("git-lfs filter-process", "git-lfs smudge", "git-lfs clean", "required");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git config filter.lfs.clean 'git-lfs clean -- %f; ./evil'",
                "git config filter.lfs.process './git-lfs filter-process'",
                "git config filter.other.clean 'git-lfs clean -- %f'",
                "git config filter.LFS.clean ./evil",
                "git config --add filter.lfs.smudge ./evil"
            })
    void otherFilterUnderNameOfGitLfsIsUndone(String plant) throws Exception {
        command("cd new; git lfs install --local > /dev/null");
        waitForTick(config);

        assertThat(command("cd new; " + plant)).hasSize(1);

        assertThat(config).content().contains("git-lfs clean -- %f\n").doesNotContain("evil", "./git-lfs", "other");
    }

    @Test
    void inRepositoryOfUsersFilterIsUndone() throws Exception {
        assertThat(command("git lfs install --local > /dev/null")).isNotEmpty();

        assertThat(worktree.resolve(".git/config")).content().doesNotContain("lfs");
    }

    @Test
    void changeThatMakesGitRunProgramsIsUndoneAsWhole() throws Exception {
        command("git -C new remote add origin https://example.org/x.git");
        waitForTick(config);

        assertThat(
                        command(
                                "cd new; git remote add more https://example.org/more.git; git config core.fsmonitor ./evil; echo evil > .git/hooks/pre-commit"))
                .hasSize(2);

        assertThat(config).content().contains("x.git").doesNotContain("evil", "more");
        assertThat(worktree.resolve("new/.git/hooks/pre-commit")).doesNotExist();
    }

    @Test
    void settingOfUserMakesCreatedRepositoryUsers() throws Exception {
        shell(worktree, "git -C new config core.editor vim; git -C new remote add origin https://example.org/mine.git");
        String mine = Files.readString(config);
        waitForTick(config);

        for (int round = 0; round < 2; round++) {
            assertThat(command("git -C new remote set-url origin https://example.org/evil.git"))
                    .singleElement()
                    .asString()
                    .contains("new/.git/config");
            assertThat(config).hasContent(mine);
            waitForTick(config);
        }
    }

    @Test
    void hookOfUserMakesCreatedRepositoryUsers() throws Exception {
        shell(worktree, "echo mine > new/.git/hooks/pre-push");
        waitForTick(worktree.resolve("new/.git/hooks"));

        assertThat(command("git -C new remote add origin https://example.org/evil.git"))
                .hasSize(1);

        assertThat(config).content().doesNotContain("evil");
        assertThat(worktree.resolve("new/.git/hooks/pre-push")).hasContent("mine");
    }

    @Test
    void nextSessionTakesThemForExistingOnes() throws Exception {
        refresh();

        assertThat(command("git -C new remote add origin https://example.org/x.git"))
                .hasSize(1);

        assertThat(config).content().doesNotContain("example.org");
    }

    @Test
    void repositoryOfUsersInTheirPlaceIsUsers() throws Exception {
        shell(worktree, "rm -rf new; git init -q -b main new; git -C new config core.editor vim");
        waitForTick(config);

        assertThat(command("git -C new remote add origin https://example.org/x.git"))
                .hasSize(1);
        assertThat(config).content().contains("vim").doesNotContain("example.org");
    }
}
