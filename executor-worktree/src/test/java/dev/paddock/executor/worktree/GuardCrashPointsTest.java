package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.SpawnException;
import dev.paddock.executor.os.file.Kernel;
import dev.paddock.fixtures.crash.CrashOperation;
import dev.paddock.fixtures.crash.KillSwitch;
import dev.paddock.fixtures.crash.SteppedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends a session at each of its steps, as a kill does: the next one restores what its command has planted. */
@Tag("full")
class GuardCrashPointsTest {
    private static final SteppedClasses STEPPED = new SteppedClasses(
            GuardCrashPointsTest.class.getClassLoader(),
            List.of("dev.paddock.executor.worktree"),
            Map.of(
                    "dev.paddock.executor.os.table.OwnerId.current", KilledOwner.class,
                    "dev.paddock.executor.os.io.Heartbeat.add", KilledOwner.class));

    /** What a session changes at least: its journals, their copies, and their removal. */
    private static final int FEWEST_STEPS = 10;

    /** A directory of two files is put back in fewer steps. */
    private static final int MAX_REFUSALS = 12;

    @TempDir
    Path directory;

    private Path seed;
    private Kernel kernel;
    private final List<String> refusals = new ArrayList<>();

    @BeforeEach
    void createSeed() throws Exception {
        directory = directory.toRealPath();
        kernel = Kernel.create();
        seed = Files.createDirectories(directory.resolve("seed/worktree"));
        GuardedWorktree.shell(seed, """
                git init -q --template= -b main .
                mkdir .git/hooks .vscode && echo mine > .vscode/tasks.json && echo mine > .vscode/settings.json
                git add .vscode && git commit -qm first
                """);
    }

    /**
     * Returns a new directory with a worktree: the guard finds open journals by path, and a kill leaves them in its
     * map.
     */
    private Path fresh(int step) throws Exception {
        Path fresh = directory.resolve("step-" + step);
        GuardedWorktree.shell(directory, "rm -rf step-" + (step - 1) + "; cp -a seed step-" + step);
        return fresh;
    }

    private static void run(GuardOperations operation, Path in) throws Exception {
        STEPPED.stepped(operation).run(in);
    }

    private boolean isKilledAt(int step, GuardOperations operation, Path in) throws Exception {
        CrashOperation stepped = STEPPED.stepped(operation);
        return KillSwitch.killsAt(step, stepped, in, kernel::close);
    }

    /** Runs a command, up to its last sign of life, that plants a program and changes a file which git obeys. */
    private static void plant(Path in) throws Exception {
        command(in, GuardCrashPointsTest::changeTwoFiles);
    }

    /** Runs such a command that changes a directory, too. */
    private static void plantEverywhere(Path in) throws Exception {
        command(in, worktree -> {
            changeTwoFiles(worktree);
            Files.writeString(worktree.resolve(".git/hooks/pre-commit"), "evil");
            Files.writeString(worktree.resolve(".vscode/tasks.json"), "evil");
            Files.delete(worktree.resolve(".vscode/settings.json"));
        });
    }

    @FunctionalInterface
    private interface Changes {
        void make(Path worktree) throws IOException;
    }

    private static void command(Path in, Changes changes) throws Exception {
        run(GuardOperations.BEGIN, in);
        KilledSession.awaitLaterChange(in);
        changes.make(in.resolve("worktree"));
        run(GuardOperations.BEAT, in);
        KilledSession.awaitLaterChange(in);
    }

    private static void changeTwoFiles(Path worktree) throws IOException {
        Files.writeString(worktree.resolve(".git/config"), "[core]\n\tfsmonitor = evil\n", StandardOpenOption.APPEND);
        Files.writeString(worktree.resolve(".envrc"), "evil");
    }

    /**
     * Shows that the next session finds the files as they were, and leaves nothing of those that were killed. If one
     * was killed while it put back a part of a directory, the next one refuses commands: the rest may be the user's
     * work.
     */
    private void isAsBefore(Path in, int step, List<String> moved) throws Exception {
        Path worktree = in.resolve("worktree");
        try {
            try (WorktreeGuard guard = GuardOperations.guarding(in)) {
                guard.begin(ProtectionPlan.NONE).settle();
                assertThat(guard.begin(ProtectionPlan.NONE).settle())
                        .as("notices of a command that changes nothing")
                        .isEmpty();
            } catch (SpawnException refused) {
                assertThat(refused).hasMessageContaining("gc --accept");
                assertThat(worktree.resolve(".envrc")).doesNotExist();
                assertThat(worktree.resolve(".git/hooks/pre-commit")).doesNotExist();
                assertThat(worktree.resolve(".git/config")).content().doesNotContain("evil");
                refusals.add(step + ": " + refused.getMessage());
                return;
            }
            assertThat(files(worktree)).isEqualTo(files(seed));
            for (String file : List.of(".git/config", ".vscode/tasks.json", ".vscode/settings.json")) {
                assertThat(worktree.resolve(file)).hasSameTextualContentAs(seed.resolve(file));
            }
            assertThat(files(in.resolve("journals"))).as("the journals").containsExactly("");
            assertThat(moved)
                    .allSatisfy(name ->
                            assertThat(files(in.resolve("quarantine"))).anyMatch(file -> file.endsWith("/" + name)));
        } catch (RuntimeException | AssertionError fault) {
            throw new AssertionError("killed at step " + step, fault);
        }
    }

    private static List<String> files(Path in) throws IOException {
        try (Stream<Path> all = Files.walk(in)) {
            return all.map(path -> in.relativize(path).toString()).sorted().toList();
        }
    }

    @Test
    void beginThatIsKilledChangesNothing() throws Exception {
        int step = 0;
        boolean killed = true;
        while (killed) {
            Path in = fresh(step);
            killed = isKilledAt(step, GuardOperations.BEGIN, in);
            if (killed) {
                isAsBefore(in, step, List.of());
                step++;
            }
        }
        run(GuardOperations.SETTLE, directory.resolve("step-" + step));
        assertThat(step).isGreaterThan(FEWEST_STEPS);
    }

    @Test
    void settlementThatIsKilledIsContinued() throws Exception {
        int step = 0;
        boolean killed = true;
        while (killed) {
            Path in = fresh(step);
            plantEverywhere(in);
            killed = isKilledAt(step, GuardOperations.SETTLE, in);
            isAsBefore(in, step, List.of(".envrc", "pre-commit", "tasks.json"));
            step++;
        }
        assertThat(refusals).hasSizeLessThan(MAX_REFUSALS);
        assertThat(step).isGreaterThan(FEWEST_STEPS);
    }

    /** Recovery moves and restores as settlement does: one path of each kind shows the steps around that. */
    @Test
    void recoveryThatIsKilledIsContinued() throws Exception {
        int step = 0;
        boolean killed = true;
        while (killed) {
            Path in = fresh(step);
            plant(in);
            assertThat(isKilledAt(0, GuardOperations.SETTLE, in)).isTrue();
            killed = isKilledAt(step, GuardOperations.RECOVER, in);
            isAsBefore(in, step, List.of(".envrc", "config"));
            step++;
        }
        assertThat(refusals).hasSizeLessThan(MAX_REFUSALS);
        assertThat(step).isGreaterThan(FEWEST_STEPS);
    }
}
