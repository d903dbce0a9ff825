package dev.paddock.executor.sandbox.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.SpawnException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests that the next session settles what a killed one has left. */
class JournalTest extends GuardedWorktree {

    @Test
    void aKilledSessionsCommandIsSettledByTheNext() throws Exception {
        String config = Files.readString(worktree.resolve(".git/config"));
        kill("git config core.fsmonitor evil; echo evil > .envrc; git init -q sub");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".git/config")).hasContent(config);
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve("sub/.git/config")).exists();
        assertThat(command("true")).as("reported with the next result").hasSize(2);
        assertThat(command("true")).isEmpty();
    }

    @Test
    void whatMayBeTheUsersIsNotUndoneButHasToBeAccepted() throws Exception {
        kill("true");
        Files.writeString(worktree.resolve(".envrc"), "mine");

        guard = guarding(worktree);

        assertThat(worktree.resolve(".envrc")).hasContent("mine");
        assertThatThrownBy(() -> command("true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(".envrc")
                .hasMessageContaining("gc --accept");
        guard.close();
        assertThat(Journals.accept(directory.resolve("journals"), worktree.resolve(".envrc")))
                .containsExactly(worktree);
        guard = guarding(worktree);
        assertThat(command("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void aSettledSessionLeavesNoJournalAndTheUsersChangesStay() throws Exception {
        command("true");
        guard.close();
        assertThat(directory.resolve("journals")).isEmptyDirectory();
        Files.writeString(worktree.resolve(".envrc"), "mine");

        guard = guarding(worktree);

        assertThat(command("true")).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("mine");
    }

    @Test
    void journalsOfWorktreesThatNoLongerExistAreRemoved() throws Exception {
        kill("true");
        shell(directory, "mv 'work tree' aside; mkdir 'work tree'; cp -r aside/. 'work tree'");

        guard = guarding(worktree);

        try (Stream<Path> journals = Files.list(directory.resolve("journals"))) {
            assertThat(journals.toList()).hasSize(1);
        }
    }

    /** Runs a command in another session, and kills that once it has recorded the command. */
    private void kill(String command) throws Exception {
        guard.close();
        Process session = KilledSession.start(directory, command + "; touch ../done");
        try {
            Path done = directory.resolve("done");
            await("the command has run").atMost(Duration.ofSeconds(30)).until(() -> Files.exists(done));
            long ran = Files.getLastModifiedTime(done).toMillis();
            await("a beat after the command")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> beats().stream().anyMatch(beat -> beat > ran));
        } finally {
            session.destroyForcibly().waitFor();
        }
    }

    private List<Long> beats() throws Exception {
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            return files.filter(file -> file.endsWith("beat"))
                    .map(file -> file.toFile().lastModified())
                    .toList();
        }
    }
}
