package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests changes that real git and a real shell make to protected paths, and how the guard settles
 * them.
 */
class WorktreeGuardTest extends GuardedWorktree {
    @Test
    void planPinsParentsOfProtectedPaths() throws Exception {
        Files.createDirectory(worktree.resolve(".vscode"));
        shell(worktree, "mkdir -p deep/er && git init -q deep/er");
        refresh();

        ProtectionPlan plan = guard.plan();

        assertThat(plan.writable()).isEmpty();
        assertThat(relative(plan.pinned())).containsExactly(".git", "deep", "deep/er", "deep/er/.git");
        assertThat(relative(plan.readOnly()))
                .containsExactly(".git/config", ".git/hooks", ".vscode", "deep/er/.git/config", "deep/er/.git/hooks");
    }

    /** A sandbox may still be prepared when its executor ends: the closed watch is not read for it. */
    @Test
    void planAfterEndIsThatOfLastState() throws Exception {
        Path other = Files.createDirectory(directory.resolve("other"));
        WorktreeGuard ended = guarding(other);
        ProtectionPlan last = ended.plan();
        ended.close();
        shell(other, "git init -q new");

        assertThat(ended.plan()).isEqualTo(last);
        try (WorktreeGuard next = guarding(other)) {
            assertThat(next.plan()).isNotEqualTo(last);
        }
    }

    @Test
    void refusesExistingAndAbsentProtectedPaths() throws Exception {
        Files.createSymbolicLink(worktree.resolve(".vscode"), Files.createDirectory(worktree.resolve("settings")));
        shell(worktree, "mkdir -p deep/er plain && git init -q deep/er");
        refresh();

        assertThat(relative(guard.refusable()))
                .contains(
                        ".git/config",
                        ".git/hooks",
                        ".envrc",
                        ".vscode",
                        "settings",
                        "deep/er/.git/hooks",
                        "deep/er/.envrc")
                .doesNotContain("deep/er/.git", ".git", "plain/.envrc");

        try (WorktreeGuard ofPlain = guarding(worktree.resolve("plain"))) {
            assertThat(ofPlain.refusable())
                    .contains(worktree.resolve("plain/.envrc"))
                    .as("a command may make a repository")
                    .doesNotContain(worktree.resolve("plain/.git"));
        }
    }

    @Test
    void repositoriesAreFoundWhereFileSystemDoesNotTell() throws Exception {
        try (RepositoryWatch watch =
                new RepositoryWatch(List.of(worktree), new OwnEntries(Set.of()), Optional.empty())) {
            shell(worktree, "git init -q new");
            watch.flush();
            assertThat(watch.repositories()).containsExactly(worktree, worktree.resolve("new"));
            shell(worktree, "rm -rf new");
            watch.flush();
            assertThat(watch.repositories()).containsExactly(worktree);
        }
    }

    @Test
    void planOfLinkedWorktreeGrantsGitDirectoriesAndProtectsTheirConfiguration() throws Exception {
        Path linked = directory.resolve("linked");
        Path other = directory.resolve("other");
        shell(worktree, "git worktree add -q ../linked && git worktree add -q ../other");
        Path common = worktree.resolve(".git");
        Path own = common.resolve("worktrees/linked");

        try (WorktreeGuard linkedGuard = guarding(linked)) {
            ProtectionPlan plan = linkedGuard.plan();

            assertThat(plan.writable()).containsExactly(common);
            assertThat(plan.pinned()).containsExactly(common.resolve("worktrees"), own);
            assertThat(plan.readOnly())
                    .containsExactlyInAnyOrder(
                            linked.resolve(".git"),
                            common.resolve("HEAD"),
                            common.resolve("index"),
                            common.resolve("config"),
                            common.resolve("hooks"),
                            common.resolve("worktrees/other"),
                            own.resolve("commondir"),
                            own.resolve("gitdir"));
        }
        assertThat(other).exists();
    }

    @Test
    void stateOfWorktreeInsideIsNotMounted() throws Exception {
        shell(worktree, "git worktree add -q inner && git worktree add -q ../outer");
        refresh();

        assertThat(relative(guard.plan().readOnly()))
                .contains(".git/worktrees/outer", "inner/.git")
                .doesNotContain(".git/worktrees/inner");
        assertThat(command("echo x > .git/worktrees/inner/commondir")).hasSize(1);
        shell(worktree, "git -C inner status --short");
    }

    @Test
    void pointerToAnotherWorktreesDirectoryIsRefused() throws Exception {
        shell(worktree, "git worktree add -q ../linked");
        Path forged = Files.createDirectory(directory.resolve("forged"));
        Files.copy(directory.resolve("linked/.git"), forged.resolve(".git"));

        assertThatThrownBy(() -> guarding(forged))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(forged.resolve(".git").toString())
                .hasMessageContaining("git worktree repair");
    }

    @Test
    void absentProtectedPathThatCommandCreatesIsMovedNotDeleted() throws Exception {
        List<String> notices =
                command("mkdir .vscode && echo evil > .vscode/tasks.json && echo x > .envrc && echo y > harmless");

        assertThat(worktree.resolve(".vscode")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve("harmless")).hasContent("y");
        assertThat(inQuarantine("tasks.json")).hasContent("evil");
        assertThat(inQuarantine(".envrc")).hasContent("x");
        assertThat(notices).hasSize(2).anySatisfy(notice -> assertThat(notice).contains(".vscode", "moved"));
        assertThat(command("true")).isEmpty();
    }

    @Test
    void changedConfigurationAndHooksArePutBack() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        Set<Path> hooks = children(worktree.resolve(".git/hooks"));

        List<String> notices =
                command("git config core.fsmonitor /tmp/evil; printf '#!/bin/sh\\n' > .git/hooks/post-commit;"
                        + " chmod +x .git/hooks/post-commit");

        assertThat(worktree.resolve(".git/config")).hasContent(config);
        assertThat(children(worktree.resolve(".git/hooks"))).isEqualTo(hooks);
        assertThat(inQuarantine("post-commit")).exists();
        assertThat(inQuarantine("config")).content().contains("fsmonitor");
        assertThat(notices).hasSize(2).allSatisfy(notice -> assertThat(notice).contains("moved"));
        shell(worktree, "git status --short && git commit -q --allow-empty -m second");
    }

    @Test
    void ancestorMovedAwayAndMadeAgainIsPutBack() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));

        command("cp -r .git .copy && mv .git .old && mv .copy .git && git config core.hooksPath /tmp/evil");

        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void repositoryThatCommandCreatesStaysUsable() throws Exception {
        List<String> notices = command("git init -q sub && cd sub && echo b > b && git add b && git commit -qm b");

        assertThat(notices).isEmpty();
        shell(worktree, "cd sub && git log --oneline | grep b && test -e .git/hooks/pre-commit.sample");
    }

    @Test
    void newRepositorysExecutableHooksAreMovedAndItsProgramsReported() throws Exception {
        List<String> notices = command("git clone -q . sub && cd sub && git config core.sshCommand evil"
                + " && printf '#!/bin/sh\\n' > .git/hooks/pre-push && chmod +x .git/hooks/pre-push");

        assertThat(worktree.resolve("sub/.git/hooks/pre-push")).doesNotExist();
        assertThat(worktree.resolve("sub/.git/hooks/pre-push.sample")).exists();
        assertThat(worktree.resolve("sub/.git/config"))
                .content()
                .doesNotContain("sshCommand")
                .contains("remote");
        assertThat(inQuarantine("config")).content().contains("sshCommand");
        assertThat(inQuarantine("pre-push")).exists();
        assertThat(notices)
                .anySatisfy(notice -> assertThat(notice).contains("core.sshcommand"))
                .anySatisfy(notice -> assertThat(notice).contains("pre-push", "moved"))
                .hasSize(2);
    }

    @Test
    void laterCommandsCannotChangeRepositoryThatEarlierOneCreated() throws Exception {
        command("git init -q sub");
        String config = Files.readString(worktree.resolve("sub/.git/config"));

        assertThat(command("git -C sub config core.pager evil")).hasSize(1);

        assertThat(worktree.resolve("sub/.git/config")).hasContent(config);
    }

    @Test
    void newGitFileThatLeadsAstrayIsMoved() throws Exception {
        command("git init -q --bare other");

        List<String> notices = command("mkdir x y && echo 'gitdir: ../other' > x/.git && ln -s ../other y/.git");

        assertThat(worktree.resolve("x/.git")).doesNotExist();
        assertThat(notices)
                .anySatisfy(notice -> assertThat(notice)
                        .contains("x/.git", "points to the repository", "belongs to another directory"));
        assertThat(worktree.resolve("y/.git").toFile()).doesNotExist();
        assertThat(Files.isSymbolicLink(worktree.resolve("y/.git"))).isFalse();
        assertThat(notices).hasSize(2);
    }

    @Test
    void worktreeThatCommandAddsStaysUsable() throws Exception {
        List<String> notices = command("git worktree add -q inner && cd inner && git status --short");

        assertThat(notices).isEmpty();
        shell(worktree, "cd inner && git log --oneline | grep first");
    }

    @Test
    void changesOfUserBetweenCommandsAreLeftAlone() throws Exception {
        command("true");
        Files.createDirectory(worktree.resolve(".idea"));
        shell(worktree, "git config user.nickname me");

        assertThat(command("true")).isEmpty();

        assertThat(worktree.resolve(".idea")).exists();
        assertThat(worktree.resolve(".git/config")).content().contains("nickname");
    }

    @Test
    void changesOfBackgroundCommandAreFoundWhenAnyCommandEnds() throws Exception {
        WorktreeGuard.Command background = guard.begin(ProtectionPlan.NONE);
        assertThat(command("echo x > .envrc")).hasSize(1);
        shell(worktree, "echo z > .mcp.json");

        assertThat(background.settle()).hasSize(1);
        assertThat(background.settle()).isEmpty();
        assertThat(worktree.resolve(".mcp.json")).doesNotExist();
    }

    @Test
    void linkInWayLeadsNoMoveOutside() throws Exception {
        Path outside = Files.createDirectories(directory.resolve("outside/.git/hooks"));
        Files.writeString(outside.resolve("precious"), "p");
        command("git init -q sub");

        command("rm -rf sub && ln -s ../outside sub");

        assertThat(outside.resolve("precious")).hasContent("p");
        assertThat(directory.resolve("outside")).isDirectoryNotContaining("glob:**.paddock*");
    }

    @Test
    void linkInPlaceOfProtectedPathIsPutBack() throws Exception {
        Files.writeString(worktree.resolve(".mcp.json"), "{}");
        Path outside = Files.writeString(directory.resolve("outside.json"), "precious");

        command("rm .mcp.json && ln -s ../outside.json .mcp.json");

        assertThat(Files.isSymbolicLink(worktree.resolve(".mcp.json"))).isFalse();
        assertThat(worktree.resolve(".mcp.json")).hasContent("{}");
        assertThat(outside).hasContent("precious");
    }

    @Test
    void quarantineOnAnotherFileSystemReceivesCopy() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(
                Files.isDirectory(memory) && !Files.getFileStore(memory).equals(Files.getFileStore(worktree)),
                "no second file system here");
        quarantine = Files.createTempDirectory(memory, "paddock-test-");
        try {
            refresh();
            command("mkdir .vscode && echo evil > .vscode/tasks.json && chmod 600 .vscode/tasks.json");

            assertThat(worktree.resolve(".vscode")).doesNotExist();
            assertThat(inQuarantine("tasks.json")).hasContent("evil");

            assertThat(command("mkdir .idea && truncate -s 8G .idea/huge"))
                    .singleElement()
                    .asString()
                    .contains("renamed to", "too many bytes or files to be copied");
            assertThat(worktree.resolve(".idea")).doesNotExist();
            try (Stream<Path> left = Files.list(worktree)) {
                assertThat(left).anyMatch(path -> path.getFileName().toString().startsWith(".paddock-"));
            }
        } finally {
            shell(directory, "rm -r '" + quarantine + "'");
        }
    }

    @Test
    void nothingOfGuardsIsLeft() throws Exception {
        command("echo x > a");
        guard.close();

        assertThat(directory.resolve("state")).isEmptyDirectory();
        assertThat(quarantine).doesNotExist();
        guard = guarding(worktree);
    }
}
