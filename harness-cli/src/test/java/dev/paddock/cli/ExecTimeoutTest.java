package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.ExecutorProviders;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code paddock exec} with commands that do not want to end, in each local backend: after its
 * timeout, after SIGTERM, and after the death of the program.
 */
@Tag("full")
class ExecTimeoutTest {
    /** Long enough for a command to say that it is up; on a busy machine one is ended before. */
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    /** What ends takes a few seconds of it, the grace included; the commands would go on for days. */
    private static final Duration MORE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /** The argument of the test's sleeps, which no other process has. */
    private final String seconds = "86" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);

    /** Commands that say on standard error that they are up; their output is read after their end. */
    private static final List<String> HOSTILE = List.of(
            "trap '' TERM INT HUP; echo up >&2; while :; do sleep N; done",
            "trap '' TERM; (setsid sh -c 'setsid sleep N & sleep N' &); echo up >&2; sleep N",
            "sh -c 'echo up >&2; kill -STOP $$; :' N & kill -STOP $$",
            "trap '' TERM; echo up >&2; yes N",
            "(trap '' TERM; setsid yes N >&2 & setsid sleep N &); echo up >&2; sleep N");

    /** One that stops its own processes. */
    private static final String STOPPING = HOSTILE.get(2);

    /** All on the host; how each sandbox ends each kind of process is clauses C9, C10 and C12. */
    static Stream<Arguments> hostileCommands() {
        return Stream.concat(
                HOSTILE.stream().map(command -> Arguments.of("host", command)),
                Stream.of("bwrap", "landlock").map(sandbox -> Arguments.of(sandbox, STOPPING)));
    }

    private Process startUp(String backend, String command, String... options) throws IOException {
        assumeThat(ExecutorProviders.named(backend).probe().isUsable()).isTrue();
        Path worktree = Files.createDirectories(directory.resolve("tree"));
        List<String> words = new ArrayList<>(List.of("exec", "--executor", backend, "-n"));
        words.addAll(List.of(options));
        if (!backend.equals("host") || !command.equals(HOSTILE.getFirst())) { // one has the default grace
            words.addAll(List.of("--kill-grace", "0.3"));
        }
        words.addAll(List.of("-c", command.replaceAll("\\bN\\b", seconds)));
        Process process = Cli.in(worktree).withSignals().start(words.toArray(String[]::new));
        awaitUp(process.errorReader());
        return process;
    }

    @ParameterizedTest
    @MethodSource("hostileCommands")
    void hostileCommandIsEndedSoonAfterItsTimeout(String backend, String command) throws Exception {
        Process process = startUp(backend, command, "--timeout", Long.toString(TIMEOUT.toSeconds()));
        long began = System.nanoTime();
        int exitCode = Cli.awaitExit(process);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(exitCode).isEqualTo(Execution.TIMED_OUT);
        assertThat(took).isLessThan(TIMEOUT.plus(MORE));
        assertThat(Cli.processesWith(seconds)).as("processes left").isZero();
    }

    @ParameterizedTest
    @MethodSource("hostileCommands")
    void hostileCommandIsEndedSoonAfterSIGTERM(String backend, String command) throws Exception {
        Process process = startUp(backend, command);
        Cli.send("TERM", process);
        long began = System.nanoTime();
        int exitCode = Cli.awaitExit(process);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(exitCode).isEqualTo(143);
        assertThat(took).isLessThan(MORE);
        assertThat(Cli.processesWith(seconds)).as("processes left").isZero();
    }

    @ParameterizedTest
    @MethodSource("hostileCommands")
    void C12_hostileCommandDoesNotSurviveProgram(String backend, String command) throws Exception {
        Process process = startUp(backend, command);
        try {
            await("a process of the command runs").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) > 0);
        } finally {
            process.destroyForcibly().waitFor();
        }
        await("every process of the command has ended")
                .atMost(MORE)
                .untilAsserted(() -> assertThat(Cli.processesWith(seconds))
                        .as("processes left")
                        .isZero());
        // Its control group stays until a later program removes it.
        assertThat(Cli.in(directory).run("gc").stderr()).doesNotContain("could not");
    }

    private static void awaitUp(BufferedReader stderr) throws IOException {
        List<String> before =
                stderr.lines().takeWhile(line -> !line.equals("up")).toList();
        assertThat(before).allMatch(line -> line.matches("\\d+"));
    }
}
