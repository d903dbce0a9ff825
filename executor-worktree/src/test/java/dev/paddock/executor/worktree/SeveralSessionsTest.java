package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that sessions in one worktree, or in worktrees of one repository, share their protection. */
@Tag("full")
class SeveralSessionsTest extends GuardedWorktree {
    private Path sibling;
    private String config;

    @BeforeEach
    void addSibling() throws Exception {
        sibling = directory.resolve("sibling");
        shell(worktree, "git worktree add -q ../sibling");
        config = Files.readString(worktree.resolve(".git/config"));
        guard.close();
        guard = guarding(worktree);
    }

    private KilledSession session(Path in) throws Exception {
        return KilledSession.start(directory, in);
    }

    private Path hook() {
        return worktree.resolve(".git/hooks/pre-commit");
    }

    @Test
    void killedSessionIsSettledByNextInSiblingAndRestByNextInItsOwnWorktree() throws Exception {
        guard.close();
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            other.ask("run git config core.fsmonitor evil; echo evil > .git/hooks/pre-commit; echo evil > .envrc");
            other.awaitBeat();
        }

        guard = guarding(sibling);

        assertThat(worktree.resolve(".git/config")).hasContent(config);
        assertThat(hook()).doesNotExist();
        assertThat(worktree.resolve(".envrc")).as("not the sibling's").exists();
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        assertThat(command.settle()).hasSize(2);

        shell(worktree, "git config user.name mine");
        guard.close();
        guard = guarding(worktree);
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(Files.readString(worktree.resolve(".git/config")))
                .as("changed by the user after it had been settled")
                .contains("mine");
        assertThat(command("true")).hasSize(1);
        assertThatJournalsAreRemoved();
    }

    private void assertThatJournalsAreRemoved() throws Exception {
        guard.close();
        assertThat(directory.resolve("journals")).isEmptyDirectory();
        guard = guarding(worktree);
    }

    @Test
    void sessionThatBeginsWhileAnothersCommandIsLiveUsesItsBaseline() throws Exception {
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            other.ask("run echo evil > .envrc; git config core.fsmonitor evil");

            assertThat(command("true")).hasSize(2);

            assertThat(worktree.resolve(".envrc")).doesNotExist();
            assertThat(worktree.resolve(".git/config")).hasContent(config);
            assertThat(other.ask("settle")).isEqualTo("notices 0");

            Files.writeString(worktree.resolve(".envrc"), "mine");
            assertThat(command("true"))
                    .as("the user's, when no command was live")
                    .isEmpty();
            assertThat(other.ask("begin")).isEqualTo("done");
            assertThat(other.ask("settle")).isEqualTo("notices 0");
        }
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void sessionInSiblingUsesBaselineOfSharedGitDirectoryAlone() throws Exception {
        Files.writeString(sibling.resolve(".envrc"), "before");
        try (KilledSession other = session(sibling)) {
            other.ask("begin");
            other.ask("run echo evil > .envrc; echo evil > '" + hook() + "'");
            Files.writeString(worktree.resolve(".envrc"), "mine");

            assertThat(command("true")).hasSize(1);

            assertThat(hook()).doesNotExist();
            assertThat(worktree.resolve(".envrc")).hasContent("mine");
            assertThat(sibling.resolve(".envrc")).hasContent("evil\n");
            assertThat(other.ask("settle")).isEqualTo("notices 1");
        }
        assertThat(sibling.resolve(".envrc")).hasContent("before");
    }

    @Test
    void ifOneOfTwoSessionsIsKilledOtherSettlesForBoth() throws Exception {
        WorktreeGuard.Command command;
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            command = guard.begin(ProtectionPlan.NONE);
            other.ask("run echo evil > .envrc; echo evil > .git/hooks/pre-commit");
        }

        assertThat(command.settle()).hasSize(2);

        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(hook()).doesNotExist();
        Files.writeString(worktree.resolve(".envrc"), "mine");
        assertThat(command("true")).isEmpty();
        assertThatJournalsAreRemoved();
    }

    @Test
    void restoredPointerLeadsToSharedGitDirectoryAgain() throws Exception {
        guard.close();
        try (KilledSession other = session(sibling)) {
            other.ask("begin");
            other.ask("run echo evil > '" + hook() + "'; rm .git; git init -q .");
            other.ask("beat");
        }

        guard = guarding(sibling);

        assertThat(hook()).doesNotExist();
        assertThat(guard.linkedGit()).map(LinkedGit::commonDirectory).contains(worktree.resolve(".git"));
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(sibling, "git status");
        assertThat(command.settle()).hasSizeLessThan(3);
    }

    @Test
    void copyIsNotTakenAgainWhileAnothersCommandIsLive() throws Exception {
        Files.writeString(worktree.resolve(".envrc"), "mine");
        // At once, so that the baseline's fingerprint does not prove anything.
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        Files.writeString(worktree.resolve(".envrc"), "evil");
        try (WorktreeGuard second = guarding(worktree)) {
            assertThat(second.begin(ProtectionPlan.NONE).settle()).hasSize(1);
        }
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
        assertThat(command.settle()).isEmpty();
    }

    @Test
    void sessionThatOutlivesKilledOneKeepsItsBaselineForNext() throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "echo evil > .envrc");
        try (KilledSession other = session(sibling)) {
            other.ask("begin");
        }
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            assertThat(other.ask("settle")).isEqualTo("notices 1");
        }
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(command.settle()).isEmpty();
    }

    @Test
    void twoSessionsInOneJvmShareTheirBaselineAndNeitherEndsOthersLock() throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "echo evil > .envrc");
        WorktreeGuard second = guarding(worktree);
        WorktreeGuard.Command inSecond = second.begin(ProtectionPlan.NONE);
        assertThat(inSecond.settle()).hasSize(1);
        second.close();

        shell(worktree, "echo evil > .envrc");
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            assertThat(other.ask("settle"))
                    .as("the first one's command is still live")
                    .isEqualTo("notices 1");
        }
        assertThat(command.settle()).isEmpty();
    }

    @Test
    void repositoryOfLiveCommandIsNewToSessionThatBegins() throws Exception {
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        shell(worktree, "git init -q new; echo evil > new/.envrc");
        try (WorktreeGuard second = guarding(worktree)) {
            WorktreeGuard.Command inSecond = second.begin(ProtectionPlan.NONE);
            assertThat(command.settle()).hasSize(1);
            assertThat(inSecond.settle()).isEmpty();
        }
        assertThat(worktree.resolve("new/.envrc")).doesNotExist();
    }

    @Test
    void sessionsThatBeginAndSettleAtSameTimeReportNothing() throws Exception {
        try (KilledSession other = session(worktree);
                KilledSession inSibling = session(sibling);
                WorktreeGuard second = guarding(sibling);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<String>> notices = new ArrayList<>();
            for (KilledSession session : List.of(other, inSibling)) {
                notices.add(threads.submit(() -> session.ask("loop")));
            }
            for (WorktreeGuard here : List.of(guard, second)) {
                notices.add(threads.submit(() -> "notices " + KilledSession.loop(here)));
            }
            for (Future<String> one : notices) {
                assertThat(one.get()).isEqualTo("notices 0");
            }
        }
    }

    @Test
    void sessionWhoseCommandsWereSettledByDeadOneStartsAnew() throws Exception {
        command("true");
        try (KilledSession other = session(worktree)) {
            other.ask("begin");
            other.ask("settle");
        }
        Files.writeString(worktree.resolve(".envrc"), "mine");
        assertThat(command("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    /** In memory: a disk's file has a new time at the first write after its page was written back. */
    @Test
    void fingerprintsProveNothingIfAnotherSessionsCommandWasLive() throws Exception {
        Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "paddock-worktree")
                .toRealPath();
        try {
            guard.close();
            guard = guarding(memory);
            fingerprintsProveNothingIn(memory);
        } finally {
            guard.close();
            shell(worktree, "rm -r " + memory);
        }
    }

    private void fingerprintsProveNothingIn(Path memory) throws Exception {
        Path protectedFile = memory.resolve(".envrc");
        Files.writeString(protectedFile, "mine");
        try (KilledSession other = session(memory);
                RandomAccessFile file = new RandomAccessFile(protectedFile.toFile(), "rw")) {
            MappedByteBuffer mapping = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4);
            mapping.put(0, (byte) 'm'); // from here on, the kernel does not see a write
            Object before = Files.getAttribute(protectedFile, "unix:ctime");
            waitForTick(protectedFile);
            WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
            other.ask("begin");
            other.ask("settle");
            mapping.put(0, (byte) 'x');
            Object after = Files.getAttribute(protectedFile, "unix:ctime");
            List<String> notices = command.settle();
            assertThat(after).as("the trick works").isEqualTo(before);
            assertThat(notices).hasSize(1);
        }
        assertThat(protectedFile).hasContent("mine");
    }
}
