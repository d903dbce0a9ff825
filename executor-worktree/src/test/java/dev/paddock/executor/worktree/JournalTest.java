package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the next session settles the changes that a killed one has left. */
class JournalTest extends GuardedWorktree {

    @Test
    void killedSessionsCommandIsSettledByNext() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        guard.close();
        kill(worktree, "git config core.fsmonitor evil; echo evil > .envrc; git init -q sub");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".git/config")).hasContent(config);
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve("sub/.git/config")).exists();
        assertThat(command("true")).as("reported with the next result").hasSize(2);
        assertThat(command("true")).isEmpty();
    }

    @Test
    void programsOfKilledSessionLoseAnotherUsersRights() throws Exception {
        shell(worktree, "cp /bin/true mine && chmod 4755 mine");
        waitForTick(worktree.resolve("mine"));
        guard.close();
        kill(worktree, "cp /bin/true evil; chmod 4755 evil; cp evil .git/objects; chmod 4755 .git/objects/evil");
        shell(worktree, "cp /bin/true later && chmod 4755 later");

        guard = guarding(worktree);

        assertThat(List.of("mine", "evil", ".git/objects/evil", "later"))
                .extracting(name -> Files.getAttribute(worktree.resolve(name), "unix:mode"))
                .containsExactly(0104755, 0100755, 0100755, 0104755);
        assertThat(command("true"))
                .anySatisfy(notice -> assertThat(notice).contains("/evil'", "cleared"))
                .anySatisfy(notice -> assertThat(notice).contains("/later'", "stays"));
    }

    @Test
    void sessionAfterKilledOneMountsSamePaths() throws Exception {
        ProtectionPlan before = guard.plan();
        guard.close();
        abandon(worktree, "echo evil > .envrc");

        guard = guarding(worktree);

        assertThat(guard.plan()).isEqualTo(before);
        command("true");
        assertThat(guard.plan()).isEqualTo(before);
    }

    @Test
    void sessionThatIsOpenSettlesWhatAnotherLeavesThatIsKilled() throws Exception {
        abandon(worktree, "echo evil > .envrc");

        assertThat(command("true")).hasSize(1);

        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }

    @Test
    void changeThatMayBeUsersIsNotUndoneButHasToBeAccepted() throws Exception {
        guard.close();
        abandon(worktree, "true");
        Files.writeString(worktree.resolve(".envrc"), "mine");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".envrc")).hasContent("mine");
        assertThatThrownBy(() -> command("true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(".envrc")
                .hasMessageContaining("gc --accept");
        assertThat(new Journals(directory.resolve("journals"), container -> false).acceptIn(worktree.resolve(".envrc")))
                .containsExactly(worktree);
        assertThat(command("true")).isEmpty();
        guard.close();
        guard = guarding(worktree);
        assertThat(command("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void worktreeWithoutAnyProtectedPathIsSettledAfterKill() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        abandon(empty, "echo evil > .envrc");

        try (WorktreeGuard other = guarding(empty)) {
            assertThat(empty.resolve(".envrc")).doesNotExist();
            assertThat(other.begin(ProtectionPlan.NONE).settle()).isNotEmpty();
        }
    }

    @Test
    void worktreeThatWasMovedAfterKillIsRefused() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        guard.close();
        abandon(worktree, "echo evil > .envrc; git config core.fsmonitor evil");
        Path moved = Files.move(worktree, directory.resolve("moved"));

        assertThatThrownBy(() -> guarding(moved))
                .hasMessageContaining("has been moved")
                .hasMessageContaining("move it back");

        Files.move(moved, worktree);
        guard = guarding(worktree);
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void fileSystemWithAnotherDeviceNumberIsRefusedAfterKill() throws Exception {
        guard.close();
        abandon(worktree, "echo evil > .envrc");
        try (Stream<Path> journals = Files.list(directory.resolve("journals"))) {
            for (Path journal : journals.toList()) {
                Files.move(journal, journal.resolveSibling("9" + journal.getFileName()));
            }
        }

        assertThatThrownBy(() -> guarding(worktree)).hasMessageContaining("another device number");
    }

    @Test
    void guardThatCannotBeOpenedLeavesNothingOpen() throws Exception {
        guard.close();
        guard.close();
        kill(worktree, "true");
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            for (Path records : files.filter(path -> path.endsWith("records")).toList()) {
                Files.write(records, new byte[3]);
            }
        }

        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(() -> guarding(worktree)).hasMessageContaining("damaged");
        }

        assertThat(inotifyDescriptors()).isZero();
        assertThat(directory.resolve("state")).isEmptyDirectory();
    }

    private static long inotifyDescriptors() throws IOException {
        long count = 0;
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                if (Files.isSymbolicLink(descriptor)
                        && Files.readSymbolicLink(descriptor).toString().contains("inotify")) {
                    count++;
                }
            }
        }
        return count;
    }

    @Test
    void fileWithoutCopyThatNobodyHasChangedStaysAfterKill() throws Exception {
        shell(worktree, "mkdir .vscode && head -c 20000000 /dev/zero > .vscode/large");
        guard.close();
        abandon(worktree, "true");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".vscode/large")).exists();
        assertThat(command("true")).isEmpty();
    }

    @Test
    void usersConfigurationStaysAndHasToBeAccepted() throws Exception {
        guard.close();
        abandon(worktree, "true");
        shell(worktree, "git config user.nickname me");

        guard = guarding(worktree);

        assertThatThrownBy(() -> command("true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(".git/config");
        assertThat(worktree.resolve(".git/config")).content().contains("nickname");
    }

    /** If the kernel has written the page back meanwhile, the change time shows the write after all. */
    @Test
    void survivorsWriteThroughOldMappingIsUndoneOrStopsNextCommand() throws Exception {
        Path direnv = Files.writeString(worktree.resolve(".envrc"), "good");
        try (FileChannel channel = FileChannel.open(direnv, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4);
            mapped.put(0, "good".getBytes(StandardCharsets.UTF_8));
            guard.close();
            abandon(worktree, "true");

            mapped.put(0, "evil".getBytes(StandardCharsets.UTF_8)); // leaves the change time alone

            guard = guarding(worktree);
            if (!Files.readString(direnv).equals("good")) {
                assertThatThrownBy(() -> command("true"))
                        .isInstanceOf(SpawnException.class)
                        .hasMessageContaining(".envrc");
            }
        }
    }

    @Test
    void settledSessionLeavesNoJournalAndUsersChangesStay() throws Exception {
        command("true");
        guard.close();
        assertThat(directory.resolve("journals")).isEmptyDirectory();
        Files.writeString(worktree.resolve(".envrc"), "mine");

        guard = guarding(worktree);

        assertThat(command("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    /** A session that was killed between two commands has left nothing to undo. */
    @Test
    void journalsOfWorktreesThatNoLongerExistAreRemoved() throws Exception {
        guard.close();
        KilledSession.start(directory, worktree).close();
        shell(directory, "mv 'work tree' aside; mkdir 'work tree'; cp -r aside/. 'work tree'");

        guard = guarding(worktree);

        try (Stream<Path> journals = Files.list(directory.resolve("journals"))) {
            assertThat(journals.toList()).as("of the worktree and of its .git").hasSize(2);
        }
    }

    @Test
    void anotherGitDirectoryInPlaceOfFirstIsUndoneAfterKill() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        guard.close();
        abandon(worktree, "mv .git aside; git init -q .; git config core.fsmonitor evil; rm -r aside");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void gitDirectoryThatUserHasMadeAnewIsSettledAfterKill() throws Exception {
        guard.close();
        String config;
        try (KilledSession session = KilledSession.start(directory, worktree)) {
            session.ask("begin");
            session.ask("settle");
            shell(worktree, "rm -rf .git && git init -q -b main ."); // with the same inode on ext4
            config = Files.readString(worktree.resolve(".git/config"));
            session.ask("begin");
            session.ask("run git config core.fsmonitor evil");
            session.ask("beat");
        }

        guard = guarding(worktree);

        assertThat(worktree.resolve(".git/config")).hasContent(config);
    }

    @Test
    void rootOfFileSystemCannotBeAccepted() {
        assertThatThrownBy(() -> new Journals(directory.resolve("journals"), container -> false).acceptIn(Path.of("/")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the path that the refusal names");
    }

    @Test
    void journalGrowsNeitherWithCommandsNorWithChanges() throws Exception {
        waitForTick(worktree.resolve(".git/HEAD")); // or the next command would copy it again
        waitForTick(worktree.resolve(".git/config"));
        command("true");
        List<Long> sizes = sizes();
        for (int number = 0; number < 20; number++) {
            command("true");
        }
        assertThat(sizes()).isEqualTo(sizes);
        for (int number = 0; number < 20; number++) {
            Files.writeString(worktree.resolve(".envrc"), "mine " + number);
            command("git update-ref refs/heads/" + number + " HEAD");
        }
        assertThat(sizes()).allMatch(size -> size < 200_000).hasSizeLessThan(sizes.size() + 3);
    }

    @Test
    void damagedJournalOfKilledSessionIsNotTakenForSettledOne() throws Exception {
        guard.close();
        abandon(worktree, "true");
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            for (Path records : files.filter(file -> file.endsWith("records")).toList()) {
                Files.write(records, new byte[100]);
            }
        }

        assertThatThrownBy(() -> guarding(worktree))
                .hasMessageContaining("is damaged")
                .hasMessageContaining("remove the journal");

        shell(directory, "rm -r journals");
        guard = guarding(worktree);
    }

    @Test
    void interruptedThreadDoesNotCloseJournal() throws Exception {
        Thread.currentThread().interrupt();
        WorktreeGuard.Command command = guard.begin(ProtectionPlan.NONE);
        assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
        Files.writeString(worktree.resolve(".envrc"), "evil");
        Thread.currentThread().interrupt();
        List<String> notices = command.settle();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(notices).hasSize(1);
        assertThat(command("echo evil > .envrc")).hasSize(1);
    }

    private List<Long> sizes() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> file.toFile().length())
                    .toList();
        }
    }

    /** Runs a command in another session, and kills that once it has recorded the command. */
    private void kill(Path in, String script) throws Exception {
        try (KilledSession session = KilledSession.start(directory, in)) {
            session.ask("begin");
            session.ask("run " + script);
            session.ask("beat");
        }
    }
}
