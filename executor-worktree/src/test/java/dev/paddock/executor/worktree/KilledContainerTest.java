package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests that a container of a killed session which this machine does not show has to be ended by
 * its engine. Docker's tests show the others.
 */
@Tag("full")
class KilledContainerTest extends GuardedWorktree {
    private static final String CONTAINER = "c0ffee".repeat(10) + "c0ff";

    @Test
    void nothingIsSettledUntilContainerHasEnded() throws Exception {
        guard.close();
        kill("container " + CONTAINER, "begin");

        assertThatThrownBy(() -> guarding(worktree))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("docker rm -f " + CONTAINER)
                .hasMessageContaining("unix:///engine");
        assertThat(worktree.resolve(".envrc")).exists();

        assertRecovers();
    }

    @Test
    void containerIsRecordedForGitDirectoryThatIsNew() throws Exception {
        shell(worktree, "rm -rf .git");
        refresh();
        guard.close();
        kill("container " + CONTAINER, "begin", "run git init -q .", "settle", "begin");

        assertThatThrownBy(() -> guarding(worktree)).hasMessageContaining(CONTAINER);

        assertRecovers();
    }

    private void kill(String... requests) throws Exception {
        try (KilledSession session = KilledSession.start(directory, worktree)) {
            for (String request : requests) {
                session.ask(request);
            }
            session.ask("run echo evil > .envrc");
            session.ask("beat");
        }
    }

    private void assertRecovers() throws Exception {
        List<String> asked = new ArrayList<>();
        guard = guarding(worktree, container -> asked.add(container.id()));
        assertThat(asked).contains(CONTAINER);
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(command("true")).as("reported with the next result").isNotEmpty();
    }
}
