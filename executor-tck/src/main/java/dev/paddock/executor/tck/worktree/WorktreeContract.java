package dev.paddock.executor.tck.worktree;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests how an executor protects a worktree: after hostile sessions nothing planted runs on the
 * host, and honest work succeeds and stays. The system properties are those of the guard's
 * tests: {@code paddock.worktree.seconds} and {@code paddock.worktree.seed}. The Maven build runs if
 * {@code paddock.worktree.maven} has the versions of the plugins resources, compiler, surefire and
 * jar in the local repository, with spaces between them.
 *
 * @since 0.1
 */
public abstract class WorktreeContract extends SettlementOrderContract {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("paddock.worktree.seconds", 2));
    private static final int OUTPUT = 4_000;

    /** Called by the implementer's class. */
    protected WorktreeContract() {}

    /**
     * Returns whether commands can run the programs that are installed on the host.
     *
     * @return false if they run in an image, which may lack a program
     */
    protected boolean hasTheHostsPrograms() {
        return true;
    }

    @Test
    final void nothingPlantedByRandomSessionsRunsOnHost() throws Exception {
        Long repeated = Long.getLong("paddock.worktree.seed");
        long end = System.nanoTime() + TIME.toNanos();
        long first = Long.getLong("paddock.worktree.first", getClass().getName().hashCode());
        long seed = repeated == null ? first : repeated;
        do {
            assertHarmless(HostileSession.of(seed));
            seed = repeated == null ? seed + 1 : seed;
        } while (System.nanoTime() < end);
    }

    private void assertHarmless(HostileSession session) throws Exception {
        Path place = Files.createDirectory(directory().resolve("seed-" + session.seed()));
        Path worktree = place.resolve("tree");
        Canary canary = Canary.in(place, worktree);
        List<String> notices = new ArrayList<>();
        try (CommandExecutor executor = executor(worktree, UnaryOperator.identity())) {
            List<ProcessLike> restless = new ArrayList<>();
            if (session.background().isPresent()) {
                restless.add(spawn(
                        executor, worktree, canary.command(session.background().get())));
            }
            try {
                for (String command : session.commands()) {
                    ProcessLike process = spawn(executor, worktree, limited(canary.command(command)));
                    process.stdout().transferTo(OutputStream.nullOutputStream());
                    notices.addAll(notices(process));
                }
            } catch (SpawnException poisoned) {
                notices.add(String.valueOf(poisoned.getMessage()));
            } catch (ExecutorException refused) {
                assertThat(session.background())
                        .as("%s: nothing but a live command can keep others from starting: %s", session, refused)
                        .isPresent();
                notices.add(String.valueOf(refused.getMessage()));
            }
            for (ProcessLike process : restless) {
                process.kill(Signal.KILL);
                notices.addAll(notices(process));
            }
            ProcessLike last = spawn(executor, worktree, "true");
            assertThat(notices(last))
                    .as("%s: nothing is left to settle", session)
                    .isEmpty();
        }
        canary.requireHarmless(session, notices);
    }

    /**
     * A live command constantly moves a directory away and back, above a repository in which another
     * one plants, so that each concurrent examination may find the directory missing, or another one in
     * its place. When the last command has closed, nothing planted remains: every plant is a file of one name.
     */
    @Test
    final void nothingPlantedBelowRestlessParentStays() throws Exception {
        Path worktree = directory().resolve("tree");
        Canary canary = Canary.in(directory(), worktree);
        long end = System.nanoTime() + TIME.toNanos();
        try (CommandExecutor executor = executor(worktree, UnaryOperator.identity())) {
            for (int round = 0; round == 0 || System.nanoTime() < end; round++) {
                canary.succeedOnHost(RestlessParent.removalBefore(round));
                ProcessLike restless = spawn(executor, worktree, canary.command(RestlessParent.moving(round)));
                RestlessParent.awaitUp(restless);
                List<String> notices = new ArrayList<>();
                for (String command : RestlessParent.plantingIn(round)) {
                    notices.addAll(noticesBeside(executor, worktree, canary.command(command)));
                }
                restless.kill(Signal.KILL);
                notices.addAll(notices(restless));
                assertThat(RestlessParent.plantedIn(worktree))
                        .as("planted when the last command of round %s has closed: %s", round, notices)
                        .isEmpty();
            }
        }
    }

    /** The configuration is restored, or a notice reports it as missing, whatever replaces the directory. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mkfifo .git",
                "mkdir .git",
                "ln -s evil .git",
                "echo gitdir: evil > .git",
                "cp -r evil .git; echo '[core]' >> .git/config"
            })
    final void lostGitDirectoryIsReported(String plant) throws Exception {
        Path worktree = directory().resolve("tree");
        Canary host = Canary.in(directory(), worktree);
        Path config = worktree.resolve(".git/config");
        byte[] before = Files.readAllBytes(config);
        List<String> notices;
        try (CommandExecutor executor = executor(worktree, UnaryOperator.identity())) {
            notices = notices(spawn(executor, worktree, host.command("mv .git evil && { " + plant + "\n:; }")));
        }
        if (Files.isDirectory(worktree.resolve("evil"))) {
            assertThat(notices)
                    .anyMatch(notice -> notice.contains(".git' was removed, moved or replaced. Not restored"));
        }
        if (Files.exists(config) || !plant.isEmpty()) {
            assertThat(config).as("%s", notices).hasBinaryContent(before);
        } else {
            assertThat(notices).anyMatch(notice -> notice.contains("Not restored") && notice.contains("'config'"));
        }
    }

    /** Runs a command; the live one may keep it from starting. */
    private static List<String> noticesBeside(CommandExecutor executor, Path worktree, String command)
            throws Exception {
        try {
            return notices(spawn(executor, worktree, command));
        } catch (ExecutorException refused) {
            return List.of(String.valueOf(refused.getMessage()));
        }
    }

    /** Bounds a command that waits for its own pipe. */
    private static String limited(String command) {
        return "timeout -s KILL 5 sh -c " + ShellQuoting.posix(command);
    }

    static Stream<HonestWork> honestWork() {
        return HonestWork.all().stream();
    }

    @ParameterizedTest
    @MethodSource
    final void honestWork(HonestWork work) throws Exception {
        requireTools(work.tools());
        Path worktree = directory().resolve("tree");
        Canary host = Canary.in(directory(), worktree);
        host.succeedOnHost(work.preparation());
        try (CommandExecutor executor = executor(worktree, work.grants())) {
            for (String command : work.commands()) {
                ProcessLike process = spawn(executor, worktree, host.command("exec 2>&1\n" + command));
                String output = new String(process.stdout().readAllBytes(), UTF_8);
                assertThat(notices(process))
                        .as("%s: %s", command, output)
                        .noneMatch(notice -> notice.contains("moved") || notice.contains("restored"));
                assertThat(process.onExit()
                                .toCompletableFuture()
                                .get(1, TimeUnit.MINUTES)
                                .isSuccess())
                        .as("%s: %s", command, output.substring(0, Math.min(OUTPUT, output.length())))
                        .isTrue();
            }
        }
        assertThat(directory().resolve("quarantine")).doesNotExist();
        host.succeedOnHost(work.check());
    }

    private void requireTools(List<String> tools) throws Exception {
        for (String tool : tools) {
            boolean present =
                    new ProcessBuilder("sh", "-c", "command -v " + tool).start().waitFor() == 0;
            if (tool.equals("gradle")) {
                assumeTrue(present, "gradle is not installed; only a full run installs it");
            }
            Prerequisite.require(present, tool + " is not installed");
            assumeTrue(hasTheHostsPrograms() || tool.equals("git"), "the image has no " + tool);
        }
    }

    private CommandExecutor executor(Path worktree, UnaryOperator<SandboxPolicy.Builder> grants) throws Exception {
        SandboxPolicy policy =
                grants.apply(SandboxPolicy.builder(PathMapping.same(worktree))).build();
        return create(policy, worktree.resolveSibling("quarantine"));
    }

    private static ProcessLike spawn(CommandExecutor executor, Path worktree, String command) {
        return executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .build());
    }

    private static List<String> notices(ProcessLike process) throws Exception {
        return process.onClosed().toCompletableFuture().get(1, TimeUnit.MINUTES).notices();
    }
}
