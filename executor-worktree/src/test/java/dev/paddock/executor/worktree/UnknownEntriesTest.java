package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the entries of a git directory that git does not read: another program may obey them. */
class UnknownEntriesTest extends GuardedWorktree {

    @ParameterizedTest
    @ValueSource(strings = {"lazygit.yml", "sl/config", "arc/config", "info/own", "lfs/own", "crypt/transcrypt"})
    void newOnesAreMoved(String name) throws Exception {
        String planting = "mkdir -p $(dirname .git/" + name + ") && echo evil > .git/" + name;

        assertThat(command(planting)).anyMatch(notice -> notice.contains("another program may obey it"));
        assertThat(worktree.resolve(".git").resolve(name)).doesNotExist();
        command("git init -q fresh && cd fresh && " + planting);
        assertThat(worktree.resolve("fresh/.git").resolve(name)).doesNotExist();
        shell(worktree, "git status && git -C fresh status");
    }

    /** Some users have ".git/safe/../../bin" in their PATH: the directory says that they trust the checkout. */
    @Test
    void directoryThatOnlyHasToExistIsMoved() throws Exception {
        String host = "PATH=.git/safe/../../bin:$PATH; touch-it || true";
        shell(worktree, "mkdir bin && printf '#!/bin/sh\\ntouch ran\\n' > bin/touch-it && chmod +x bin/touch-it");
        command("mkdir .git/safe");

        shell(worktree, host);
        assertThat(worktree.resolve("ran")).doesNotExist();

        shell(worktree, "mkdir .git/safe; " + host);
        assertThat(worktree.resolve("ran")).as("without the guard").exists();
    }

    @Test
    void usersOwnAreRestored() throws Exception {
        Path file = worktree.resolve(".git/lazygit.yml");
        Path inner = worktree.resolve(".git/tool/deep/settings");
        shell(
                worktree,
                "echo mine > .git/lazygit.yml && mkdir -p .git/tool/deep && echo mine > .git/tool/deep/settings");
        refresh();

        assertThat(command("git commit -q --allow-empty -m x")).isEmpty();
        command("echo evil > .git/lazygit.yml; echo evil >> .git/tool/deep/settings; echo evil > .git/tool/deep/new");
        assertThat(file).hasContent("mine");
        assertThat(inner).hasContent("mine");
        assertThat(inner.resolveSibling("new")).doesNotExist();

        command("rm -r .git/tool .git/lazygit.yml");
        assertThat(file).hasContent("mine");
        assertThat(inner).hasContent("mine");

        command(
                "rm -r .git/tool .git/lazygit.yml; mkdir .git/lazygit.yml; echo evil > .git/lazygit.yml/x; echo evil > .git/tool");
        assertThat(file).hasContent("mine");
        assertThat(inner).hasContent("mine");

        command(
                "mv .git/tool .git/other; mkdir -p .git/tool; cp -a .git/other/deep .git/tool; echo evil > .git/tool/deep/settings");
        assertThat(inner).hasContent("mine");
        assertThat(worktree.resolve(".git/other")).doesNotExist();
    }

    @Test
    void changedFilesWithoutCopyAreMoved() throws Exception {
        Path large = worktree.resolve(".git/store/large");
        Path small = worktree.resolve(".git/store/small");
        shell(
                worktree,
                "mkdir .git/store && head -c 5000000 /dev/zero > .git/store/large && echo mine > .git/store/small");
        refresh();

        assertThat(command("true")).isEmpty();
        assertThat(command("echo evil >> .git/store/large; echo evil > .git/store/small"))
                .anyMatch(notice -> notice.contains("store/large") && notice.contains("no copy"));
        assertThat(large).doesNotExist();
        assertThat(inQuarantine("large")).exists();
        assertThat(small).hasContent("mine");
    }

    @Test
    void manyFilesAreNotCopied() throws Exception {
        shell(worktree, "mkdir .git/store && cd .git/store && seq 2000 | xargs touch");
        refresh();

        assertThat(command("echo evil > .git/store/1; echo evil > .git/store/999"))
                .hasSize(2);
        assertThat(Files.size(worktree.resolve(".git/store/1"))).isZero();
        assertThat(worktree.resolve(".git/store/999")).doesNotExist();
        try (var copies = Files.walk(directory.resolve("journals"))) {
            assertThat(copies.filter(Files::isRegularFile))
                    .as("of this session and the one before")
                    .hasSizeLessThan(700);
        }
    }

    @Test
    void dataOfKnownToolsIsReportedAndChanges() throws Exception {
        List<String> notices =
                command("mkdir -p .git/lfs/objects/ab .git/annex/objects && echo x > .git/lfs/objects/ab/cd"
                        + " && echo main > .git/machete");

        assertThat(notices)
                .hasSize(3)
                .anyMatch(notice -> notice.contains(".git/lfs'") && notice.contains("Git LFS keeps its data there"))
                .anyMatch(notice -> notice.contains("git-annex"))
                .anyMatch(notice -> notice.contains("git-machete"));
        assertThat(command(
                        "echo y > .git/lfs/objects/ab/cd; echo z > .git/annex/objects/z; echo other >> .git/machete"))
                .isEmpty();
        assertThat(worktree.resolve(".git/lfs/objects/ab/cd")).hasContent("y");
        assertThat(worktree.resolve(".git/annex/objects/z")).exists();
    }

    @Test
    void worktreesInBareRepositoryAreWorkedIn() throws Exception {
        shell(worktree, "git clone -q --bare . hub && git -C hub worktree add -q old");
        refresh();

        List<String> notices = command("git -C hub worktree add -q feature/topic && echo x > hub/old/new"
                + " && echo y >> hub/old/a && echo z > hub/feature/topic/z");
        notices = Stream.concat(notices.stream(), command("echo x >> hub/feature/topic/a && mkdir hub/old/d").stream())
                .toList();

        assertThat(notices).isEmpty();
        assertThat(worktree.resolve("hub/old/new")).exists();
        assertThat(worktree.resolve("hub/feature/topic/a")).content().contains("x");
        assertThat(command("echo evil > hub/lazygit.yml")).hasSize(1);
    }

    @Test
    void worktreeInDotGitDirectoryCannotHideEntry() throws Exception {
        command("git worktree add -q --no-checkout .git/sl && echo evil > .git/sl/config");

        assertThat(worktree.resolve(".git/sl")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hooks", "hooks/inner", "info", "remotes", "rr-cache"})
    void worktreeInPlaceOfGitsOwnFilesCannotHideThem(String place) throws Exception {
        shell(worktree, "git clone -q --bare . hub");
        refresh();

        command("cd hub && mkdir -p worktrees/x " + place + " && echo ../.. > worktrees/x/commondir"
                + " && echo ref: refs/heads/main > worktrees/x/HEAD && echo $PWD/" + place
                + "/.git > worktrees/x/gitdir && echo gitdir: $PWD/worktrees/x > " + place + "/.git"
                + " && git -C " + place + " status && echo evil > hooks/post-checkout && echo evil > " + place
                + "/attributes");

        assertThat(worktree.resolve("hub/hooks/post-checkout")).doesNotExist();
        assertThat(worktree.resolve("hub").resolve(place).resolve("attributes")).doesNotExist();
    }

    @Test
    void sessionWorksInLinkedWorktreeInsideItsRepository() throws Exception {
        shell(
                directory,
                "git clone -q --bare 'work tree' hub && git -C hub worktree add -q one && git -C hub worktree add -q two");
        guard.close();
        guard = guarding(directory.resolve("hub/one"));
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(
                directory.resolve("hub/one"),
                "echo x > new; echo y >> a; git commit -qam y; echo z > ../two/z; echo evil > ../own");

        assertThat(command.settle()).hasSize(1).first().asString().contains("hub/own");
        assertThat(directory.resolve("hub/one/new")).exists();
        assertThat(directory.resolve("hub/one/a")).content().contains("y");
    }

    @Test
    void sessionWorksInBareRepository() throws Exception {
        shell(directory, "git clone -q --bare 'work tree' hub");
        guard.close();
        guard = guarding(directory.resolve("hub"));
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(directory.resolve("hub"), "echo x > notes; echo evil > hooks/post-checkout");

        assertThat(command.settle()).anyMatch(notice -> notice.contains("notes"));
        assertThat(directory.resolve("hub/notes")).exists();
        assertThat(directory.resolve("hub/hooks/post-checkout")).doesNotExist();
    }
}
