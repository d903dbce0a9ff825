package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which repositories, and which of their entries, settlement finds, moves and restores. */
class SettledRepositoriesTest extends GuardedWorktree {

    @Test
    void repositoryHiddenInClosedDirectoryIsFound() throws Exception {
        shell(worktree, "mkdir hid && chmod 000 hid");
        refresh();
        assertThat(command("true")).as("the user's own").isEmpty();

        command("chmod 700 hid && git init -q hid && git -C hid config core.fsmonitor evil && chmod 000 hid");

        shell(worktree, "chmod 700 hid; ! git -C hid config core.fsmonitor");
    }

    @Test
    void repositoryInDirectoryWithNameOfSignIsFound() throws Exception {
        command("mkdir HEAD .GIT");
        command("git init -q HEAD/sub; git -C HEAD/sub config core.fsmonitor evil;"
                + " git init -q .GIT/sub; git -C .GIT/sub config core.fsmonitor evil");

        shell(worktree, "! git -C HEAD/sub config core.fsmonitor");
        shell(worktree, "! git -C .GIT/sub config core.fsmonitor");
    }

    @Test
    void gitDirectoryMovedAwayAndBackIsStillGuarded() throws Exception {
        command("git init -q sub");
        String config = Files.readString(worktree.resolve("sub/.git/config"));
        List<String> first = command("mv sub/.git away");

        List<String> second = command("git config -f away/config core.fsmonitor evil; mv away sub/.git");

        assertThat(worktree.resolve("sub/.git/config"))
                .as("%s %s", first, second)
                .hasContent(config);
    }

    @Test
    void removedHooksAreRestoredWithTheirDirectory() throws Exception {
        shell(worktree, "echo '#!/bin/sh' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");

        assertThat(command("rm -rf .git/hooks")).hasSize(1);

        assertThat(worktree.resolve(".git/hooks/pre-commit")).isExecutable();
    }

    @Test
    void pointersToOtherGitDirectoriesMayNotBeRedirected() throws Exception {
        command("cp -r .git other; git config -f other/config core.fsmonitor evil; echo ../other > .git/commondir");

        assertThat(worktree.resolve(".git/commondir")).doesNotExist();
        assertThat(worktree.resolve("other/config")).content().doesNotContain("fsmonitor");
    }

    @Test
    void bareLayoutAboveRepositoryIsMoved() throws Exception {
        command("git init -q --bare b; mv b/* .; git config -f config core.fsmonitor evil");

        assertThat(worktree.resolve("HEAD")).doesNotExist();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void bareLayoutAboveDamagedGitFileIsMoved() throws Exception {
        shell(worktree, "mkdir -p lib/module && echo damaged > lib/module/.git");
        refresh();

        List<String> notices = command("git init -q --bare b; mv b/* lib/");

        assertThat(worktree.resolve("lib/HEAD")).doesNotExist();
        assertThat(worktree.resolve("lib/module/.git")).exists();
        assertThat(notices).anySatisfy(notice -> assertThat(notice).contains("lib/HEAD", "take the directory for"));
        assertThat(command("true")).isEmpty();
    }

    @Test
    void pointerToRepositoryThatCommandCreatesStays() throws Exception {
        List<String> notices = command("git init -q --separate-git-dir=apart x && git -C x config core.pager evil");

        assertThat(worktree.resolve("x/.git")).isRegularFile();
        assertThat(notices).singleElement().asString().contains("apart/config", "core.pager");
        shell(worktree, "git -C x status && ! git -C x config core.pager");
    }

    @Test
    void pointerToExistingRepositoryIsMoved() throws Exception {
        command("git init -q --separate-git-dir=apart x");

        assertThat(command("mkdir y && cp x/.git y/.git"))
                .singleElement()
                .asString()
                .contains("y/.git", "belongs to another directory");

        assertThat(worktree.resolve("y/.git")).doesNotExist();
        assertThat(worktree.resolve("x/.git")).exists();
    }

    @Test
    void noMountKeepsLaterCommandFromRemovingRepository() throws Exception {
        command("git init -q created");
        shell(worktree, "git init -q mine");

        command("true");
        assertThat(guard.plan().readOnly())
                .as("a repository of the user's, and none of a command's")
                .contains(worktree.resolve("mine/.git/config"))
                .noneMatch(path -> path.startsWith(worktree.resolve("created")));
        assertThat(command("git -C created config core.pager evil"))
                .as("settlement protects it")
                .singleElement()
                .asString()
                .contains("created/.git/config");
    }

    @Test
    void repositoryInsideGitDirectoryIsMoved() throws Exception {
        List<String> notices =
                command("git init -q .git/lost-found/x; git init -q --bare .git/logs/y; cp -a .git/logs/y .git/refs/z");

        assertThat(worktree.resolve(".git/lost-found/x/.git")).doesNotExist();
        assertThat(worktree.resolve(".git/logs/y/HEAD")).doesNotExist();
        assertThat(worktree.resolve(".git/refs/z/HEAD")).doesNotExist();
        assertThat(notices)
                .filteredOn(notice -> notice.contains("inside a git directory"))
                .hasSize(3);
    }

    @Test
    void hooksThatUsersConfigurationNamesAreProtected() throws Exception {
        shell(worktree, "mkdir checks && echo true > checks/pre-commit && git config core.hooksPath checks");
        refresh();
        assertThat(guard.plan().readOnly()).contains(worktree.resolve("checks"));

        assertThat(command("echo evil > checks/pre-commit")).hasSize(1);

        assertThat(worktree.resolve("checks/pre-commit")).hasContent("true");
    }

    @Test
    void relativeHooksOfUsersConfigurationAreProtectedInNewRepositories() throws Exception {
        Files.writeString(directory.resolve(".gitconfig"), "[core]\n\thooksPath = checks\n");
        refresh();

        List<String> notices = command("git init -q new; mkdir new/checks; echo evil > new/checks/pre-commit");

        assertThat(notices).singleElement().asString().contains("new/checks");
        assertThat(worktree.resolve("new/checks")).doesNotExist();
        assertThat(command("mkdir new/checks")).hasSize(1);
    }

    @Test
    void removedPointerOfLinkedWorktreeIsRestored() throws Exception {
        shell(worktree, "git worktree add -q ../linked");
        Path linked = directory.resolve("linked");
        String pointer = Files.readString(linked.resolve(".git"));
        try (WorktreeGuard linkedGuard = guarding(linked)) {
            WorktreeGuard.Command command = linkedGuard.begin(ProtectionPlan.NONE);
            shell(linked, "rm .git");

            assertThat(command.settle()).hasSize(1);
        }
        assertThat(linked.resolve(".git")).hasContent(pointer);
    }

    @Test
    void linksInGitDirectoryAreMoved() throws Exception {
        Path outside = Files.writeString(directory.resolve("outside"), "precious");

        command("rm -f .git/logs/HEAD && ln -s '" + outside + "' .git/logs/HEAD && ln -s '" + outside
                + "' .git/ORIG_HEAD && mkfifo .git/MERGE_MSG");

        shell(worktree, "git commit -q --allow-empty -m second && git status --short");
        assertThat(outside).hasContent("precious");
    }
}
