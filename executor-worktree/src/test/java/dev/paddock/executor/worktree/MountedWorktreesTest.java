package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a session guards the worktrees of other sessions which its commands can write to. */
class MountedWorktreesTest extends GuardedWorktree {
    private static final String EVIL = "mkdir -p deep; echo evil > .git/hooks/pre-commit; echo evil > .envrc";

    private Path writer;

    @BeforeEach
    void makeWriter() throws Exception {
        writer = Files.createDirectory(directory.resolve("writer"));
        Files.createDirectories(worktree.resolve(".git/hooks"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        guard.close();
        assertThat(directory.resolve("journals")).isEmptyDirectory();
    }

    private WorktreeGuard writing(Path... mounts) throws Exception {
        return guarding(writer, List.of(mounts), container -> false);
    }

    private void assertClean() {
        assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }

    @Test
    void mountOfWorktreeItselfIsGuarded() throws Exception {
        assertGuarded(worktree);
    }

    @Test
    void mountThatContainsWorktreeIsGuarded() throws Exception {
        Path outer = Files.createDirectory(directory.resolve("outer"));
        guard.close();
        shell(directory, "mv 'work tree' outer");
        worktree = outer.resolve("work tree");
        guard = guarding(worktree);
        assertGuarded(outer);
    }

    @Test
    void mountInsideWorktree() throws Exception {
        assertGuarded(worktree.resolve(".git/hooks"));
    }

    private void assertGuarded(Path mount) throws Exception {
        try (WorktreeGuard other = writing(mount)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(worktree, EVIL);
            assertThat(command.settle()).hasSize(2);
            assertClean();

            command = other.begin(ProtectionPlan.NONE);
            WorktreeGuard.Command daemon = other.begin(ProtectionPlan.NONE);
            shell(worktree, EVIL);
            assertThat(command.settle()).hasSize(2);
            shell(worktree, EVIL);
            assertThat(command("true"))
                    .as("the worktree's own session settles, too")
                    .hasSize(2);
            assertThat(daemon.settle()).isEmpty();
            assertClean();

            Files.writeString(worktree.resolve(".envrc"), "mine");
            assertThat(command("true")).isEmpty();
            assertThat(other.begin(ProtectionPlan.NONE).settle()).isEmpty();
            assertThat(worktree.resolve(".envrc")).hasContent("mine");
        }
    }

    @Test
    void nothingIsExaminedWhereNoSessionIs() throws Exception {
        guard.close();
        try (WorktreeGuard other = writing(worktree)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(worktree, EVIL);
            assertThat(command.settle()).isEmpty();
        }
        assertThat(worktree.resolve(".envrc")).exists();
    }

    @Test
    void otherWorktreesAreLeftAlone() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("work"));
        try (WorktreeGuard other = writing(elsewhere)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(worktree, "echo mine > .envrc");
            assertThat(command.settle()).isEmpty();
        }
        assertThat(worktree.resolve(".envrc")).exists();
    }

    @Test
    void sessionThatBeginsBesideCommandThatStaysIsGuardedFromThenOn() throws Exception {
        guard.close();
        try (WorktreeGuard other = writing(worktree)) {
            WorktreeGuard.Command daemon = other.begin(ProtectionPlan.NONE);
            guard = guarding(worktree);
            assertThat(command("true")).isEmpty();
            assertThat(daemon.examine()).isEmpty();
            shell(worktree, EVIL);
            assertThat(daemon.settle()).hasSize(2);
        }
        assertClean();
    }

    @Test
    void sessionThatIsKilledWithItsCommandIsSettledInMountedWorktree() throws Exception {
        try (KilledSession other = KilledSession.start(directory, writer, worktree)) {
            other.ask("begin");
            other.ask("run cd '" + worktree + "'; " + EVIL);
            other.awaitBeat();
        }
        assertThat(command("true")).hasSize(2);
        assertClean();
        guarding(writer).close();
    }

    @Test
    void linkedWorktreesRepositoryIsGuarded() throws Exception {
        Path linked = directory.resolve("linked");
        shell(worktree, "git worktree add -q ../linked");
        guard.close();
        guard = guarding(linked);
        try (WorktreeGuard other = writing(worktree)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(worktree, EVIL);
            assertThat(command.settle()).hasSize(2);
        }
        assertClean();
    }

    @Test
    void worktreeThatCannotBeGuardedRefusesCommands() throws Exception {
        shell(worktree, "git worktree add -q ../linked");
        Path linked = directory.resolve("linked");
        try (WorktreeGuard there = guarding(linked);
                WorktreeGuard other = writing(linked)) {
            String pointer = Files.readString(linked.resolve(".git"));
            Files.writeString(linked.resolve(".git"), "gitdir: /nowhere\n");
            assertThatThrownBy(() -> other.begin(ProtectionPlan.NONE))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining("'" + linked + "'")
                    .hasMessageContaining("leads nowhere");
            Files.writeString(linked.resolve(".git"), pointer);
            assertThat(other.begin(ProtectionPlan.NONE).settle()).isEmpty();
            assertThat(there.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
    }

    /** The mount lies beside the writer's worktree, inside the one that contains both. */
    @Test
    void mountInWorktreeThatContainsWritersOwn() throws Exception {
        writer = Files.createDirectory(worktree.resolve("writer"));
        shell(writer, "git init -q .");
        Path shared = Files.createDirectory(worktree.resolve("shared"));
        shell(shared, "git init -q .");
        refresh();
        try (WorktreeGuard other = writing(shared)) {
            WorktreeGuard.Command command = other.begin(ProtectionPlan.NONE);
            shell(worktree, "echo evil > shared/.git/hooks/pre-commit; echo evil > writer/.git/hooks/pre-commit");
            assertThat(command.settle()).hasSize(2);
            assertThat(shared.resolve(".git/hooks/pre-commit")).doesNotExist();
            assertThat(writer.resolve(".git/hooks/pre-commit")).doesNotExist();
            assertThat(command("true")).isEmpty();
        }
    }
}
