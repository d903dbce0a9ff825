package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.worktree.files.FileStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that no limit of size, depth or time leaves a change unexamined. */
class LimitsTest extends GuardedWorktree {
    /** How many levels a shell makes, or descends, at once. */
    private static final int LEVELS = 20;

    @Test
    @Tag("full")
    void changeBehindMoreFilesThanAreCopiedIsReported() throws Exception {
        shell(
                worktree,
                "mkdir -p .claude/a .claude/b; (cd .claude/a; seq 50100 | xargs touch); echo 1 > .claude/b/run");
        refresh();
        waitForTick(worktree.resolve(".claude/b/run"));
        assertThat(command("true")).isEmpty();

        assertThat(command("echo 2 > .claude/b/run")).singleElement().asString().contains(".claude", "no copy");
        assertThat(worktree.resolve(".claude")).doesNotExist();
    }

    /** The second tree's path is longer than the kernel takes one. */
    @ParameterizedTest
    @CsvSource({"d, 520", "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd, 100"})
    void treeDeeperThanIsCopiedStaysUntilItIsChanged(String name, int levels) throws Exception {
        String part = (name + "/").repeat(LEVELS);
        String descend =
                "i=0; while [ $i -lt " + levels / LEVELS + " ]; do cd -P " + part + " || exit 1; i=$((i+1)); done; ";
        String make = descend.replace("cd -P", "mkdir -p " + part + "; cd -P");
        try {
            shell(worktree, "mkdir .claude; cd .claude; " + make + "echo 1 > run");
            refresh();
            assertThat(command("true")).isEmpty();
            assertThat(command("true & true")).isEmpty();

            assertThat(command("cd .claude; " + descend + "echo 2 > run"))
                    .singleElement()
                    .asString()
                    .contains(".claude", "no copy");
            assertThat(worktree.resolve(".claude")).doesNotExist();
        } finally {
            shell(directory, "rm -rf quarantine 'work tree/.claude'"); // the JDK deletes no path of this length
        }
    }

    /** Within the tick in which the user has closed a directory, a command could open and close it. */
    @Test
    void commandsBeginAfterTickInWhichDirectoryWasClosed() throws Exception {
        Path directory = Files.createDirectory(worktree.resolve("closed"));
        ClosedDirectories closed = new ClosedDirectories(List.of(worktree));
        for (int round = 0; round < 20; round++) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("---------"));
            closed.add(directory);
            closed.awaitTick();
            assertThat(FileStatus.of(directory).orElseThrow().isSettledAt(System.currentTimeMillis()))
                    .isTrue();
        }
    }
}
