package dev.paddock.executor.worktree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.tck.worktree.Canary;
import dev.paddock.executor.tck.worktree.HostileSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs random sessions that plant programs and make files hard to find, and works in the worktree as
 * the host's user afterwards: nothing planted may run. The system property {@code
 * paddock.worktree.seconds} sets how long, bounded in the ordinary run; {@code
 * paddock.worktree.first} begins at another session, {@code paddock.worktree.seed} repeats one. No sandbox holds the
 * commands here, so what they write outside the worktree themselves does not count; what settlement and the host
 * write does.
 */
class RandomStatesTest {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("paddock.worktree.seconds", 2));
    private static final int CONTROLS = 3;

    @TempDir
    Path directory;

    @Test
    void nothingPlantedRunsOnHost() throws Exception {
        Long repeated = Long.getLong("paddock.worktree.seed");
        long end = System.nanoTime() + TIME.toNanos();
        long seed = repeated == null ? Long.getLong("paddock.worktree.first", 1) : repeated;
        do {
            assertHarmless(HostileSession.of(seed++));
        } while (repeated == null && System.nanoTime() < end);
    }

    /** Is the positive control: without the guard most sessions run a planted program. */
    @Tag("full")
    @Test
    void withoutGuardPlantedProgramsRun() throws Exception {
        int ran = 0;
        for (int seed = 0; seed < CONTROLS; seed++) {
            HostileSession session = HostileSession.of(seed);
            Path place = Files.createDirectory(directory.toRealPath().resolve("control-" + seed));
            Path worktree = place.resolve("tree");
            Canary canary = Canary.in(place, worktree);
            for (String command : session.commands()) {
                start(worktree, "exec > /dev/null\n" + canary.command(command)).waitFor();
            }
            ran += canary.runsOnHost() ? 1 : 0;
            canary.remove();
        }
        assertThat(ran).as("sessions whose program ran").isGreaterThan(CONTROLS / 2);
    }

    private void assertHarmless(HostileSession session) throws Exception {
        Path place = Files.createDirectory(directory.toRealPath().resolve("seed-" + session.seed()));
        Path worktree = place.resolve("tree");
        Canary canary = Canary.in(place, worktree);
        List<String> notices = new ArrayList<>();
        try (WorktreeGuard guard = WorktreeGuard.open(
                worktree,
                ProtectedPaths.standard(),
                Files.createDirectory(place.resolve("state")),
                new Journals(place.resolve("journals"), container -> false),
                place.resolve("quarantine"),
                List.of(),
                System.getenv())) {
            run(session, guard, worktree, canary, notices);
            assertThat(guard.begin(ProtectionPlan.NONE).settle())
                    .as("%s: nothing is left to settle", session)
                    .isEmpty();
        }
        canary.requireHarmless(session, notices);
    }

    private static void run(
            HostileSession session, WorktreeGuard guard, Path worktree, Canary canary, List<String> notices)
            throws Exception {
        List<Process> restless = new ArrayList<>();
        WorktreeGuard.Command background = guard.begin(ProtectionPlan.NONE);
        try {
            if (session.background().isPresent()) {
                restless.add(start(worktree, canary.command(session.background().get())));
            }
            for (String script : session.commands()) {
                WorktreeGuard.Command command = guard.announce(ProtectionPlan.NONE);
                if (background.mustEndAll()) {
                    break;
                }
                command.begin();
                Process process = start(worktree, "exec > /dev/null\n" + canary.command(script));
                assertThat(process.waitFor(1, TimeUnit.MINUTES))
                        .as(session.toString())
                        .isTrue();
                canary.restoreOutside();
                notices.addAll(command.settle());
                assertThat(session.background().isPresent() || canary.isOutsideUnchanged())
                        .as("%s: settlement leaves the file outside alone", session)
                        .isTrue();
            }
        } finally {
            for (Process process : restless) {
                end(process);
            }
        }
        canary.restoreOutside();
        notices.addAll(background.settle());
    }

    /** Starts a shell in a process group of its own, which ends: a command may wait for a pipe. */
    private static Process start(Path worktree, String script) throws IOException {
        return new ProcessBuilder("timeout", "-s", "KILL", "5", "sh", "-c", script)
                .directory(worktree.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void end(Process restless) throws Exception {
        new ProcessBuilder("sh", "-c", "kill -KILL -- -" + restless.pid())
                .start()
                .waitFor();
        restless.getInputStream().readAllBytes(); // ends when none of its processes is alive
    }
}
