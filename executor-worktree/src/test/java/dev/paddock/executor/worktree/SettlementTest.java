package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    void indexIsJudgedByRestoredConfiguration() throws Exception {
        assertThat(command("echo b > b; git add b; git config core.repositoryformatversion 1;"
                        + " git config extensions.objectformat sha256"))
                .singleElement()
                .asString()
                .contains(".git/config'");
        shell(worktree, "git ls-files --error-unmatch b");
    }

    @Test
    void hostsChangesInsideMountStay() throws Exception {
        Files.createDirectory(worktree.resolve(".idea"));
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "echo saved > .idea/workspace.xml");

        assertThat(command.settle()).isEmpty();
        assertThat(worktree.resolve(".idea/workspace.xml")).hasContent("saved");
    }

    @Test
    void fileWithSecondNameIsNotTrustedInsideMount() throws Exception {
        Files.createDirectory(worktree.resolve(".idea"));
        shell(worktree, "echo first > .idea/run.xml && ln .idea/run.xml other");
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "echo evil > other");

        assertThat(command.settle()).hasSize(1);
        assertThat(worktree.resolve(".idea/run.xml")).hasContent("first");
    }

    @Test
    void mountProvesNothingAboutFileThatWasReplaced() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        WorktreeGuard.Command command = guard.begin(guard.plan());
        shell(worktree, "git config core.fsmonitor evil");

        assertThat(command.settle()).singleElement().asString().contains(".git/config", "restored");
        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void fileReplacedBetweenCommandsNeedsAnotherPlan() throws Exception {
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
    void treeThatIsTooDeepToReadDoesNotStopOthers() throws Exception {
        List<String> notices =
                command("mkdir .claude && cd .claude && i=0; d=$(printf '%0100d' 1); while [ $i -lt 60 ]; do"
                        + " mkdir $d && cd -P $d; i=$((i+1)); done; cd '" + worktree
                        + "'; echo x > .envrc; git config core.fsmonitor evil");

        assertThat(worktree.resolve(".claude")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".git/config")).content().doesNotContain("fsmonitor");
        assertThat(notices).hasSize(3);
        assertThat(command("true")).isEmpty();
        shell(directory, "rm -rf quarantine");
    }

    /** Reading a directory takes a part of the stack, and its path is no longer than the kernel allows. */
    @Test
    void treeThatIsTooDeepForStackDoesNotStopOthers() throws Exception {
        List<String> notices =
                command("mkdir .claude && cd .claude && i=0; while [ $i -lt 18 ]; do" + " mkdir -p " + "a/".repeat(100)
                        + " && cd " + "a/".repeat(100) + "; i=$((i+1)); done; cd '" + worktree + "'; echo x > .envrc");

        assertThat(worktree.resolve(".claude")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(notices).hasSize(2);
        assertThat(command("true")).isEmpty();
        shell(directory, "rm -rf quarantine");
    }

    @Test
    void repositoryWhoseDirectoryHasNoTextForNameIsGuarded() throws Exception {
        command("d=$(printf 'na\\377me'); git init -q \"$d\"");
        assertThat(guard.plan().readOnly()).noneMatch(path -> path.toString().contains("na"));

        List<String> notices = command("cd na*; git config core.fsmonitor evil");

        assertThat(notices).singleElement().asString().contains("na\\xffme");
        shell(worktree, "cd na*; ! git config core.fsmonitor");
    }

    @Test
    void unreadableConfigurationIsReplaced() throws Exception {
        command("git init -q sub");
        String config = Files.readString(worktree.resolve("sub/.git/config"));

        assertThat(command("echo x >> sub/.git/config; chmod 000 sub/.git/config"))
                .hasSize(1);

        assertThat(worktree.resolve("sub/.git/config")).hasContent(config);
    }

    @Test
    void quarantineThatCannotBeUsedLeavesNothingInPlace() throws Exception {
        Files.writeString(quarantine, "a file in its place");

        List<String> notices = command("echo evil > .envrc; mkdir .vscode");

        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".vscode")).doesNotExist();
        assertThat(notices).hasSize(2).allSatisfy(notice -> assertThat(notice).contains("renamed", ".paddock-"));
        shell(worktree, "chmod 700 .paddock-*; rm -r .paddock-*");
    }

    /** Also in a directory of hooks, where each new name is an entry that git could run. */
    @Test
    void whatFullQuarantineCannotTakeIsRenamedOnceAndNothingOfItIsLeftThere() throws Exception {
        requireMounts();
        Files.createDirectory(quarantine);
        shell(worktree, "mount -t tmpfs -o size=64k none '" + quarantine + "'");
        try {
            List<String> notices = command("git init -q n; head -c 200000 /dev/urandom > n/.git/hooks/pre-commit;"
                    + " mkdir .vscode; head -c 200000 /dev/urandom > .vscode/tasks.json");

            assertThat(notices)
                    .hasSize(2)
                    .allSatisfy(notice -> assertThat(notice).contains("renamed", ".paddock-", "No space left"));
            assertThat(quarantine).isEmptyDirectory();
            assertThat(worktree.resolve(".vscode")).doesNotExist();
            shell(worktree, "test $(stat -c %a n/.git/hooks/.paddock-*) = 0; test $(stat -c %a .paddock-*) = 0");
            assertThat(command("true")).isEmpty();
        } finally {
            shell(worktree, "umount '" + quarantine + "'; chmod 700 .paddock-*; rm -r .paddock-*");
        }
    }

    private static void requireMounts() {
        Prerequisite.require("root".equals(System.getProperty("user.name")), "only the superuser can mount");
    }

    /** A mount point can neither be moved nor renamed. */
    @Test
    void entryThatCannotBeMovedPoisonsWorktree() throws Exception {
        requireMounts();
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
        assertThat(command("true"))
                .as("once the mount is gone")
                .singleElement()
                .asString()
                .contains(".vscode", "moved");
        assertThat(worktree.resolve(".vscode")).doesNotExist();
    }

    @Test
    void noProgramOfCommandKeepsAnotherUsersOrGroupsRights() throws Exception {
        shell(worktree, "cp /bin/true mine && chmod 4755 mine");

        List<String> notices = command("cp /bin/true a; chmod 4755 a; mkdir d; install -m 2755 /bin/true d/b;"
                + " chmod g+s d; touch data; chmod 2644 data; cp /bin/true c; ln c also; chmod 6755 c");

        assertThat(List.of("mine", "a", "d/b", "d", "data", "c"))
                .extracting(name -> mode(worktree.resolve(name)))
                .containsExactly("4755", "755", "755", "2755", "2644", "6755");
        assertThat(notices)
                .hasSize(4)
                .allSatisfy(notice -> assertThat(notice).contains("set-user-id or set-group-id"))
                .filteredOn(notice -> notice.contains("second name"))
                .as("both names of one file")
                .hasSize(2);
        assertThat(command("true")).isEmpty();
    }

    @Test
    void noProgramInGitDirectoryKeepsAnotherUsersRights() throws Exception {
        shell(worktree, "cp /bin/true .git/objects/pack/pack-x.pack; cp /bin/true .git/mine; chmod 4755 .git/mine");
        refresh();

        List<String> notices = command("chmod 4755 .git/objects/pack/pack-x.pack; mkdir -p .git/objects/ab;"
                + " cp /bin/true .git/objects/ab/cd; chmod 4755 .git/objects/ab/cd");
        notices.addAll(
                command("git init -q --bare new.git; cp /bin/true new.git/objects/x; chmod 4755 new.git/objects/x"));

        assertThat(List.of(".git/mine", ".git/objects/pack/pack-x.pack", ".git/objects/ab/cd", "new.git/objects/x"))
                .extracting(name -> mode(worktree.resolve(name)))
                .containsExactly("4755", "755", "755", "755");
        assertThat(notices)
                .filteredOn(notice -> notice.contains("the bits were cleared"))
                .hasSize(3);
    }

    private static String mode(Path file) {
        try {
            int mode = (Integer) Files.getAttribute(file, "unix:mode");
            return Integer.toOctalString(mode & 07777);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Test
    void resultNamesManyPathsAndCountsOthers() throws Exception {
        List<String> notices =
                command("for n in $(seq 150); do echo evil > .git/hooks/h$n; done; chmod +x .git/hooks/h*");

        assertThat(notices).hasSize(101).last().asString().contains("50 more", "quarantine");
        assertThat(worktree.resolve(".git/hooks/h150")).doesNotExist();
    }
}
