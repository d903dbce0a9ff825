package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.SpawnException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what becomes of a killed session's changes if the user moves their directory before the next session. */
class MovedDirectoriesTest extends GuardedWorktree {

    @Test
    void journalOfKilledSessionWaitsForItsDirectory() throws Exception {
        guard.close();
        abandon(worktree, "echo evil > .envrc; echo evil > .git/hooks/pre-commit");
        Path moved = Files.move(worktree, directory.resolve("moved"));
        openElsewhere();

        Files.move(moved, worktree);
        guard = guarding(worktree);

        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
    }

    @Test
    void journalDoesNotWaitForeverForItsDirectory() throws Exception {
        guard.close();
        abandon(worktree, "true");
        Files.move(worktree, directory.resolve("moved"));
        long old = System.currentTimeMillis() - Duration.ofDays(91).toMillis();
        try (Stream<Path> files = Files.walk(directory.resolve("journals"))) {
            for (Path file : files.filter(file -> file.endsWith("sessions")).toList()) {
                ByteBuffer table = ByteBuffer.wrap(Files.readAllBytes(file));
                for (int slot = 16; slot + Long.BYTES <= table.limit(); slot += Long.BYTES) {
                    if (table.getLong(slot) != 0) {
                        table.putLong(slot, old);
                    }
                }
                Files.write(file, table.array());
            }
        }

        openElsewhere();

        assertThat(directory.resolve("journals")).isEmptyDirectory();
    }

    private void openElsewhere() throws Exception {
        guarding(Files.createDirectory(directory.resolve("elsewhere"))).close();
    }

    @Test
    void repositoryOfLinkedWorktreeThatWasMovedAfterKillIsRefused() throws Exception {
        Path linked = directory.resolve("linked");
        shell(worktree, "git worktree add -q ../linked");
        guard.close();
        abandon(linked, "echo evil > \"$(git rev-parse --git-common-dir)/hooks/pre-commit\"");
        Path moved = Files.move(worktree, directory.resolve("moved"));
        shell(moved, "git worktree repair");
        openElsewhere();

        assertThatThrownBy(() -> guarding(linked))
                .hasMessageContaining("work tree/.git', which has been moved")
                .hasMessageContaining("move it back");

        Files.move(moved, worktree);
        shell(worktree, "git worktree repair");
        guard = guarding(linked);
        assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
    }

    @Test
    void gitDirectoryThatIsMovedHereAfterKillIsRefused() throws Exception {
        Path other = directory.resolve("other");
        shell(directory, "git init -q other");
        abandon(other, "echo evil > .git/hooks/pre-commit");
        shell(directory, "rm -r 'work tree/.git'; mv other/.git 'work tree/.git'");

        assertThatThrownBy(() -> command("true"))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("other/.git', which has been moved");
    }
}
