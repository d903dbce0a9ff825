package dev.paddock.executor.sandbox.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that settlement trusts neither mounts nor fingerprints, and fails closed path by path. */
class SettlementTest extends GuardedWorktree {

    @Test
    void theHostsChangesInsideAMountStay() throws Exception {
        Files.createDirectory(worktree.resolve(".idea"));
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "echo saved > .idea/workspace.xml");

        assertThat(command.settle()).isEmpty();
        assertThat(worktree.resolve(".idea/workspace.xml")).hasContent("saved");
    }

    @Test
    void fileWithASecondNameIsNotTrustedInsideAMount() throws Exception {
        Files.createDirectory(worktree.resolve(".idea"));
        shell(worktree, "echo first > .idea/run.xml && ln .idea/run.xml other");
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "echo evil > other");

        assertThat(command.settle()).hasSize(1);
        assertThat(worktree.resolve(".idea/run.xml")).hasContent("first");
    }

    @Test
    void aMountProvesNothingAboutAFileThatWasReplaced() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "git config core.fsmonitor evil");

        assertThat(command.settle()).singleElement().asString().contains(".git/config", "restored");
        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void aFileReplacedBetweenCommandsNeedsAnotherPlan() throws Exception {
        ProtectionPlan before = guard.plan();
        assertThat(guard.plan()).isEqualTo(before);

        shell(worktree, "git config user.nickname me");

        assertThat(guard.plan()).isNotEqualTo(before);
    }

    @Test
    void contentIsComparedWhileOtherCommandsLive() throws Exception {
        Path direnv = Files.writeString(worktree.resolve(".envrc"), "good");
        WorktreeGuard.Command background = guard.begin(ProtectionPlan.NONE);
        try (FileChannel channel = FileChannel.open(direnv, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4);
            mapped.put(0, "good".getBytes(StandardCharsets.UTF_8));
            assertThat(command("true")).isEmpty();

            mapped.put(0, "evil".getBytes(StandardCharsets.UTF_8)); // leaves the change time alone

            assertThat(background.settle()).hasSize(1);
            assertThat(direnv).hasContent("good");
        }
    }

    @Test
    void aTreeThatIsTooDeepToReadDoesNotStopTheOthers() throws Exception {
        List<String> notices =
                command("mkdir .claude && cd .claude && i=0; while [ $i -lt 60 ]; do d=$(printf '%0100d' 1);"
                        + " mkdir $d && cd -P $d; i=$((i+1)); done; cd '" + worktree
                        + "'; echo x > .envrc; git config core.fsmonitor evil");

        assertThat(worktree.resolve(".claude")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".git/config")).content().doesNotContain("fsmonitor");
        assertThat(notices).hasSize(3);
        assertThat(command("true")).isEmpty();
        shell(directory, "rm -rf quarantine");
    }

    @Test
    void aRepositoryWhoseDirectoryHasNoTextForANameIsGuarded() throws Exception {
        command("d=$(printf 'na\\377me'); git init -q \"$d\"");
        assertThat(guard.plan().readOnly()).noneMatch(path -> path.toString().contains("na"));

        List<String> notices = command("cd na*; git config core.fsmonitor evil");

        assertThat(notices).singleElement().asString().contains("na\\xffme");
        shell(worktree, "cd na*; ! git config core.fsmonitor");
    }

    @Test
    void anUnreadableConfigurationIsReplaced() throws Exception {
        command("git init -q sub");
        String config = Files.readString(worktree.resolve("sub/.git/config"));

        assertThat(command("echo x >> sub/.git/config; chmod 000 sub/.git/config"))
                .hasSize(1);

        assertThat(worktree.resolve("sub/.git/config")).hasContent(config);
    }

    @Test
    void aQuarantineThatCannotBeUsedLeavesNothingInPlace() throws Exception {
        Files.writeString(quarantine, "a file in its place");

        List<String> notices = command("echo evil > .envrc; mkdir .vscode");

        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".vscode")).doesNotExist();
        assertThat(notices).hasSize(2).allSatisfy(notice -> assertThat(notice).contains("renamed", ".paddock-"));
        shell(worktree, "chmod 700 .paddock-*; rm -r .paddock-*");
    }

    /** A mount point can neither be moved nor renamed. */
    @Test
    void whatCannotBeMovedPoisonsTheWorktree() throws Exception {
        WorktreeGuard.Command background = guard.begin(ProtectionPlan.NONE);
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "mkdir .vscode && mount -t tmpfs none .vscode");
        try {
            assertThat(command.settle()).singleElement().asString().contains(".vscode", "ended");
            assertThat(command.mustEndAll()).isTrue();
            assertThat(background.settle()).hasSize(1);
            assertThatThrownBy(() -> guard.begin(ProtectionPlan.NONE))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining(".vscode")
                    .hasMessageContaining("Move them away")
                    .hasMessageContaining("no command is started");
        } finally {
            shell(worktree, "umount .vscode");
        }
        assertThat(command("true")).as("once the mount is gone").isEmpty();
        assertThat(worktree.resolve(".vscode")).doesNotExist();
    }

    @Test
    void aRepositoryHiddenInAClosedDirectoryIsFound() throws Exception {
        shell(worktree, "mkdir hid && chmod 000 hid");
        refresh();
        assertThat(command("true")).as("the user's own").isEmpty();

        command("chmod 700 hid && git init -q hid && git -C hid config core.fsmonitor evil && chmod 000 hid");

        shell(worktree, "chmod 700 hid; ! git -C hid config core.fsmonitor");
    }

    @Test
    void aGitDirectoryMovedAwayAndBackIsStillGuarded() throws Exception {
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
    void whatGitReadsElsewhereMayNotBeRedirected() throws Exception {
        command("cp -r .git other; git config -f other/config core.fsmonitor evil; echo ../other > .git/commondir");

        assertThat(worktree.resolve(".git/commondir")).doesNotExist();
        assertThat(worktree.resolve("other/config")).content().doesNotContain("fsmonitor");
    }

    @Test
    void aBareLayoutAboveARepositoryIsMoved() throws Exception {
        command("git init -q --bare b; mv b/* .; git config -f config core.fsmonitor evil");

        assertThat(worktree.resolve("HEAD")).doesNotExist();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void hooksThatTheUsersConfigurationNamesAreProtected() throws Exception {
        shell(worktree, "mkdir checks && echo true > checks/pre-commit && git config core.hooksPath checks");
        refresh();
        assertThat(guard.plan().readOnly()).contains(worktree.resolve("checks"));

        assertThat(command("echo evil > checks/pre-commit")).hasSize(1);

        assertThat(worktree.resolve("checks/pre-commit")).hasContent("true");
    }

    @Test
    void aRemovedPointerOfALinkedWorktreeIsRestored() throws Exception {
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
    void linksInAGitDirectoryAreMoved() throws Exception {
        Path outside = Files.writeString(directory.resolve("outside"), "precious");

        command("rm -f .git/logs/HEAD && ln -s '" + outside + "' .git/logs/HEAD && ln -s '" + outside
                + "' .git/ORIG_HEAD && mkfifo .git/MERGE_MSG");

        shell(worktree, "git commit -q --allow-empty -m second && git status --short");
        assertThat(outside).hasContent("precious");
    }
}
