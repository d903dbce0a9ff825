package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that sessions in worktrees of which one contains the other share their protection. */
class NestedSessionsTest extends GuardedWorktree {
    private static final String EVIL =
            "echo evil > .git/hooks/pre-commit; echo evil > .envrc;" + " git config core.fsmonitor evil";

    private Path inner;
    private String config;

    @BeforeEach
    void makeInner() throws Exception {
        inner = Files.createDirectory(worktree.resolve("sub"));
        shell(inner, "git init -q -b main . && echo b > b && git add b && git commit -qm inner");
        config = Files.readString(inner.resolve(".git/config"));
        refresh();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        guard.close();
        assertThat(directory.resolve("journals")).isEmptyDirectory();
    }

    private void assertClean() {
        assertThat(inner.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(inner.resolve(".envrc")).doesNotExist();
        assertThat(inner.resolve(".git/config")).hasContent(config);
    }

    @Test
    void outerSessionBeginsBesideInnerCommand() throws Exception {
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            shell(inner, EVIL);
            WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
            assertThat(within.settle()).hasSize(3);
            assertClean();
            assertThat(around.settle()).isEmpty();
        }
        assertClean();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void outerSessionSettlesFirst() throws Exception {
        try (KilledSession nested = KilledSession.start(directory, inner)) {
            nested.ask("begin");
            nested.ask("run " + EVIL);
            assertThat(command("true")).hasSize(3);
            assertClean();
            assertThat(nested.ask("settle")).isEqualTo("notices 0");
            nested.ask("close");
        }
        assertClean();
    }

    @Test
    void innerSessionBeginsBesideOuterCommand() throws Exception {
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        shell(inner, EVIL);
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).hasSize(3);
            assertClean();
            assertThat(within.settle()).isEmpty();
            assertClean();
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
        assertClean();
    }

    @Test
    void innerSessionSettlesFirst() throws Exception {
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        shell(inner, EVIL);
        try (KilledSession nested = KilledSession.start(directory, inner)) {
            nested.ask("begin");
            assertThat(nested.ask("settle")).isEqualTo("notices 3");
            nested.ask("close");
        }
        assertClean();
        assertThat(around.settle()).isEmpty();
        assertClean();
    }

    @Test
    void repositoryOfLiveOuterCommandIsNewToInnerSession() throws Exception {
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "git init -q new; echo evil > new/.git/hooks/pre-commit; echo evil > new/.envrc");
        try (WorktreeGuard nested = guarding(worktree.resolve("new"))) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).hasSize(2);
            assertThat(within.settle()).isEmpty();
        }
        assertThat(worktree.resolve("new/.envrc")).doesNotExist();
        assertThat(worktree.resolve("new/.git/hooks/pre-commit")).doesNotExist();
        assertThat(worktree.resolve("new/.git/config")).exists();
    }

    @Test
    void killedOuterSessionIsSettledBeforeInnerCommand() throws Exception {
        guard.close();
        kill(worktree, "cd sub; " + EVIL + "; echo evil > ../.git/hooks/pre-commit");
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertClean();
            assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
            assertThat(within.settle()).hasSize(4);
            Files.writeString(inner.resolve(".envrc"), "mine");
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
        guard = guarding(worktree);
        assertThat(command("true")).isEmpty();
        assertThat(inner.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void killedInnerSessionIsSettledBeforeOuterCommand() throws Exception {
        abandon(inner, EVIL);
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        assertClean();
        assertThat(around.settle()).hasSize(3);
        Files.writeString(inner.resolve(".envrc"), "mine");
        try (WorktreeGuard nested = guarding(inner)) {
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
        assertThat(inner.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void innerSessionRefusesWhatKilledOuterOneHasLeftToDecide() throws Exception {
        guard.close();
        abandon(worktree, "true");
        Files.writeString(worktree.resolve(".envrc"), "mine");
        try (WorktreeGuard nested = guarding(inner)) {
            assertThatThrownBy(() -> nested.begin(ProtectionPlan.NONE))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("'" + worktree.resolve(".envrc") + "'")
                    .hasMessageContaining("gc --accept");
            new Journals(directory.resolve("journals"), container -> false).acceptIn(worktree.resolve(".envrc"));
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void damagedJournalAroundRefusesInnerCommands() throws Exception {
        guard.close();
        abandon(worktree, "true");
        shell(directory, "for records in journals/*/records; do echo damage > \"$records\"; done");
        try (WorktreeGuard nested = guarding(inner)) {
            assertThatThrownBy(() -> nested.begin(ProtectionPlan.NONE))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("'" + worktree + "'")
                    .hasMessageContaining("remove the journal");
        }
        shell(directory, "rm -r journals/*");
    }

    @Test
    void killedSessionsInBothAreSettled() throws Exception {
        guard.close();
        try (KilledSession around = KilledSession.start(directory, worktree);
                KilledSession within = KilledSession.start(directory, inner)) {
            around.ask("begin");
            within.ask("begin");
            within.ask("run " + EVIL);
            around.ask("run echo evil > .envrc");
            around.ask("beat");
            within.ask("beat");
        }
        guard = guarding(worktree);
        assertThat(command("true")).isNotEmpty();
        assertClean();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        try (WorktreeGuard nested = guarding(inner)) {
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
    }

    @Test
    void usersChangesBetweenCommandsStay() throws Exception {
        try (WorktreeGuard nested = guarding(inner)) {
            for (int round = 0; round < 5; round++) {
                String mine = "mine " + round;
                Files.writeString(inner.resolve(".envrc"), mine);
                shell(inner, "git config user.name '" + mine + "'; echo '" + mine + "' > .git/hooks/pre-commit");
                WorktreeGuard.Command first = (round % 2 == 0 ? guard : nested).begin(ProtectionPlan.NONE);
                WorktreeGuard.Command second = (round % 2 == 0 ? nested : guard).begin(ProtectionPlan.NONE);
                assertThat(first.settle()).isEmpty();
                assertThat(second.settle()).isEmpty();
                assertThat(inner.resolve(".envrc")).hasContent(mine);
                assertThat(inner.resolve(".git/hooks/pre-commit")).hasContent(mine);
                assertThat(inner.resolve(".git/config")).content().contains(mine);
            }
        }
    }

    @Test
    void outerSessionRestoresWhatItsCommandChangesInInnerWorktreeOnly() throws Exception {
        Files.writeString(inner.resolve(".envrc"), "mine");
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            Files.writeString(inner.resolve(".envrc"), "evil");
            assertThat(within.settle()).hasSize(1);
            assertThat(around.settle()).isEmpty();
        }
        assertThat(inner.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void sessionsOfTwoProcessesDoNotWaitForEachOther() throws Exception {
        try (KilledSession nested = KilledSession.start(directory, inner);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<String> within = threads.submit(() -> nested.ask("loop"));
            assertThat(KilledSession.loop(guard)).isZero();
            assertThat(within.get()).isEqualTo("notices 0");
            nested.ask("close");
        }
    }

    /** The record around may replace its copies while the inner command is live. */
    @Test
    void innerSessionKeepsItsOwnCopies() throws Exception {
        Files.writeString(inner.resolve(".envrc"), "mine");
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).isEmpty();
            guard.close();
            Files.writeString(inner.resolve(".envrc"), "evil");
            assertThat(within.settle()).singleElement().asString().contains("was restored");
        }
        assertThat(inner.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void nestedWorktreeThatIsNoRepositoryIsProtectedAtItsTop() throws Exception {
        Path plain = Files.createDirectory(worktree.resolve("plain"));
        Files.writeString(plain.resolve(".envrc"), "mine");
        Files.createSymbolicLink(plain.resolve(".vscode"), Files.createDirectory(plain.resolve("settings")));
        Files.writeString(plain.resolve("settings/tasks.json"), "mine");
        try (WorktreeGuard nested = guarding(plain)) {
            WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(within.settle()).isEmpty();
            assertThat(around.settle()).isEmpty();

            around = guard.begin(ProtectionPlan.NONE);
            shell(plain, "echo evil > .envrc; echo evil > settings/tasks.json; mkdir .idea; echo evil > .idea/x");
            within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).hasSize(3);
            assertThat(within.settle()).isEmpty();
        }
        assertThat(plain.resolve(".envrc")).hasContent("mine");
        assertThat(plain.resolve("settings/tasks.json")).hasContent("mine");
        assertThat(plain.resolve(".idea")).doesNotExist();
        assertThat(command("echo ordinary > plain/.envrc"))
                .as("no session there any more")
                .isEmpty();
    }

    @Test
    void filesInWorktreeThatIsNoRepositoryAreUsersWhenSessionOpensThere() throws Exception {
        Path plain = Files.createDirectory(worktree.resolve("plain"));
        filesInAWorktreeThatIsNoRepositoryAreTheUsers(plain);
    }

    private void filesInAWorktreeThatIsNoRepositoryAreTheUsers(Path plain) throws Exception {
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        Files.writeString(plain.resolve(".envrc"), "mine");
        try (WorktreeGuard nested = guarding(plain)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).isEmpty();
            assertThat(within.settle()).isEmpty();
        }
        assertThat(plain.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void filesInFormerNestedWorktreeAreUsersWhenAnotherSessionOpensThere() throws Exception {
        Path plain = Files.createDirectory(worktree.resolve("plain"));
        Files.writeString(plain.resolve(".envrc"), "mine");
        try (WorktreeGuard nested = guarding(plain)) {
            assertThat(command("true")).isEmpty();
            assertThat(nested.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
        filesInAWorktreeThatIsNoRepositoryAreTheUsers(plain);
    }

    @Test
    void filesThatOnlyOuterWorktreeObeysStay() throws Exception {
        Files.writeString(inner.resolve("shared"), "mine");
        Files.createSymbolicLink(worktree.resolve(".envrc"), Path.of("sub/shared"));
        refresh();
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(command("true")).isEmpty();
            assertThat(within.settle()).isEmpty();
            assertThat(inner.resolve("shared")).hasContent("mine");
            assertThat(command("echo evil > .envrc")).hasSize(1);
        }
        assertThat(inner.resolve("shared")).hasContent("mine");
    }

    @Test
    void hooksOfInnerConfigurationStayForBoth() throws Exception {
        shell(inner, "mkdir hooks; echo mine > hooks/pre-commit; git config core.hooksPath hooks");
        refresh();
        try (WorktreeGuard nested = guarding(inner)) {
            WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(within.settle()).isEmpty();
            assertThat(around.settle()).isEmpty();
            within = nested.begin(ProtectionPlan.NONE);
            shell(inner, "echo evil > hooks/pre-commit");
            around = guard.begin(ProtectionPlan.NONE);
            assertThat(within.settle()).hasSize(1);
            assertThat(around.settle()).isEmpty();
        }
        assertThat(inner.resolve("hooks/pre-commit")).hasContent("mine");
    }

    @Test
    void linkedWorktreeInsideItsRepository() throws Exception {
        Path linked = worktree.resolve("linked");
        shell(worktree, "git worktree add -q linked");
        Files.writeString(linked.resolve(".envrc"), "mine");
        refresh();
        bothWays(linked, "echo evil > .envrc; echo evil > ../.git/hooks/pre-commit", 2);
        assertThat(linked.resolve(".envrc")).hasContent("mine");
        assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
    }

    @Test
    void submodule() throws Exception {
        shell(worktree, "git -c protocol.file.allow=always submodule --quiet add ./sub module");
        Path module = worktree.resolve("module");
        Files.writeString(module.resolve(".envrc"), "mine");
        String own = Files.readString(worktree.resolve(".git/modules/module/config"));
        refresh();
        bothWays(
                module,
                "echo evil > .envrc; git config core.fsmonitor evil;"
                        + " echo evil > ../.git/modules/module/hooks/pre-commit",
                3);
        assertThat(module.resolve(".envrc")).hasContent("mine");
        assertThat(worktree.resolve(".git/modules/module/config")).hasContent(own);
        assertThat(worktree.resolve(".git/modules/module/hooks/pre-commit")).doesNotExist();
    }

    /** Lets commands of both sessions change the nested worktree before the other session begins. */
    private void bothWays(Path nestedRoot, String script, int changes) throws Exception {
        try (WorktreeGuard nested = guarding(nestedRoot)) {
            WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
            shell(nestedRoot, script);
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).hasSize(changes);
            assertThat(within.settle()).isEmpty();

            within = nested.begin(ProtectionPlan.NONE);
            shell(nestedRoot, script);
            around = guard.begin(ProtectionPlan.NONE);
            assertThat(within.settle()).hasSize(changes);
            assertThat(around.settle()).isEmpty();
        }
        WorktreeGuard.Command around = guard.begin(ProtectionPlan.NONE);
        shell(nestedRoot, script);
        try (WorktreeGuard nested = guarding(nestedRoot)) {
            WorktreeGuard.Command within = nested.begin(ProtectionPlan.NONE);
            assertThat(around.settle()).hasSize(changes);
            assertThat(within.settle()).isEmpty();
        }
    }

    private void kill(Path in, String script) throws Exception {
        try (KilledSession session = KilledSession.start(directory, in)) {
            session.ask("begin");
            session.ask("run " + script);
            session.ask("beat");
        }
    }
}
