package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a worktree on a file system that ignores case, as macOS and Windows do: NTFS by a program that
 * shows every name in lower case, so that git's own HEAD is listed as "head".
 */
@Tag("full")
class IgnoredCaseTest extends GuardedWorktree {
    private Path ordinary;
    private Path mount;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
        assumeTrue(Files.exists(Path.of("/dev/fuse")), "this kernel has no FUSE");
        Prerequisite.require(
                new ProcessBuilder("sh", "-c", "command -v lowntfs-3g").start().waitFor() == 0,
                "lowntfs-3g is not installed");
        ordinary = worktree;
        mount = Files.createDirectory(directory.resolve("mount"));
        shell(
                directory,
                "PATH=$PATH:/sbin:/usr/sbin; truncate -s 16M image && mkntfs -qFf image && lowntfs-3g -o ignore_case image"
                        + " mount && cd mount && git init -q -b main tree && cd tree && echo a > a && git add a && git commit -qm a");
        worktree = mount.resolve("tree");
        refresh();
    }

    @AfterEach
    void unmount() throws Exception {
        if (mount != null) {
            worktree = ordinary;
            refresh();
            shell(directory, "umount mount");
        }
    }

    /** Plants a layout whose configuration makes git run a program, and a host that works in it. */
    private String planting(String place, String head, String objects, String refs) {
        return "mkdir -p " + place + "/" + objects + " " + place + "/" + refs + " && echo ref: refs/heads/main > "
                + place
                + "/" + head
                + " && printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = %s\\n\\tfsmonitor = \"touch %s; :\"\\n' "
                + worktree.resolve(place) + " " + directory.resolve("ran") + " > " + place + "/config";
    }

    private boolean runsOnHost(String place) throws Exception {
        shell(worktree, "git -C " + place + " status || true");
        return Files.deleteIfExists(directory.resolve("ran"));
    }

    @ParameterizedTest
    @CsvSource({"head, objects, refs", "HEAD, OBJECTS, REFS", "Head, Objects, Refs"})
    void bareLayoutsAreFound(String head, String objects, String refs) throws Exception {
        shell(worktree, planting("control", head, objects, refs));
        assertThat(runsOnHost("control")).as("without the guard").isTrue();

        command(planting("planted", head, objects, refs));
        assertThat(runsOnHost("planted")).isFalse();

        shell(worktree, "mkdir later && echo mine > later/mine");
        waitForTick(worktree.resolve("later/mine"));
        command(planting("later", head, objects, refs));
        assertThat(runsOnHost("later")).isFalse();
        assertThat(worktree.resolve("later/mine")).hasContent("mine");
        for (String place : new String[] {".git/refs", ".git/objects/ab"}) {
            command(planting(place, head, objects, refs));
            assertThat(runsOnHost(place)).as(place).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".GIT/HOOKS/post-commit", ".Git/hooks/POST-COMMIT"})
    void hooksAndConfigurationAreRestored(String hook) throws Exception {
        command("mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ../../ran\\n' > " + hook + "; chmod +x " + hook
                + "; git config core.fsmonitor evil; echo evil > .GIT/INFO/ATTRIBUTES; echo evil > .GIT/lazygit.yml");

        shell(worktree, "git commit -q --allow-empty -m x && ! git config core.fsmonitor");
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(worktree.resolve(".git/info/attributes")).doesNotExist();
        assertThat(worktree.resolve(".git/lazygit.yml")).doesNotExist();
    }

    @Test
    void newRepositoriesAndProtectedNamesAreJudged() throws Exception {
        command("git init -q new && mv new/.git new/x && mv new/x new/.GIT && git -C new config core.fsmonitor evil"
                + " && mkdir .VSCODE && echo evil > .VSCODE/tasks.json && echo evil > new/.EnvRC");

        shell(worktree, "! git -C new config core.fsmonitor");
        assertThat(worktree.resolve(".vscode")).doesNotExist();
        assertThat(worktree.resolve("new/.envrc")).doesNotExist();
    }

    @Test
    void unfinishedRebasesAreJudged() throws Exception {
        command("mkdir .git/REBASE-MERGE && echo exec evil > .git/REBASE-MERGE/GIT-REBASE-TODO");

        assertThat(worktree.resolve(".git/rebase-merge/git-rebase-todo")).doesNotExist();
    }

    @Test
    void ordinaryWorkIsNotUndone() throws Exception {
        assertThat(command(
                        "echo b > b && git add b && git commit -qm b && git checkout -q -b topic && git merge -q main"
                                + " && git stash list && git gc -q"))
                .noneMatch(notice -> notice.contains("moved") || notice.contains("restored"));
        assertThat(command(
                        "mkdir src && echo x > src/HEAD && echo y > src/objects && git add src && git commit -qm src"))
                .noneMatch(notice -> notice.contains("moved"));
        shell(worktree, "git fsck && git log");
    }
}
