package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.ExecutorProviders;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code paddock exec --timeout} with commands that do not want to end, in each local backend. */
class ExecTimeoutTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration MORE = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    /** The argument of the test's sleeps, which no other process has. */
    private final String seconds = "86" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);

    /** Each command says that it is up on standard error; its output is read only after its end. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    host     | trap '' TERM INT HUP; echo up >&2; while :; do sleep N; done
                    bwrap    | trap '' TERM INT HUP; echo up >&2; while :; do sleep N; done
                    landlock | trap '' TERM INT HUP; echo up >&2; while :; do sleep N; done
                    host     | trap '' TERM; (setsid sh -c 'setsid sleep N & sleep N' &); echo up >&2; sleep N
                    bwrap    | trap '' TERM; (setsid sh -c 'setsid sleep N & sleep N' &); echo up >&2; sleep N
                    landlock | trap '' TERM; (setsid sh -c 'setsid sleep N & sleep N' &); echo up >&2; sleep N
                    host     | sleep N & kill -STOP $!; echo up >&2; kill -STOP $$
                    bwrap    | sleep N & kill -STOP $!; echo up >&2; kill -STOP $$
                    landlock | sleep N & kill -STOP $!; echo up >&2; kill -STOP $$
                    host     | trap '' TERM; echo up >&2; yes N
                    bwrap    | trap '' TERM; echo up >&2; yes N
                    landlock | trap '' TERM; echo up >&2; yes N
                    host     | (trap '' TERM; setsid yes N >&2 & setsid sleep N &); echo up >&2; sleep N
                    bwrap    | (trap '' TERM; setsid yes N >&2 & setsid sleep N &); echo up >&2; sleep N
                    landlock | (trap '' TERM; setsid yes N >&2 & setsid sleep N &); echo up >&2; sleep N
                    """)
    void aHostileCommandIsEndedSoonAfterItsTimeout(String backend, String command) throws Exception {
        assumeThat(ExecutorProviders.named(backend).probe().usable()).isTrue();
        Path worktree = Files.createDirectory(directory.resolve("tree"));
        Process process = Cli.in(worktree)
                .start(
                        "exec",
                        "--executor",
                        backend,
                        "-n",
                        "--timeout",
                        Long.toString(TIMEOUT.toSeconds()),
                        "-c",
                        command.replaceAll("\\bN\\b", seconds));
        awaitUp(process.errorReader());
        long began = System.nanoTime();
        int exitCode = Cli.awaitExit(process);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(exitCode).isEqualTo(Execution.TIMED_OUT);
        assertThat(took).isLessThan(TIMEOUT.plus(MORE));
        assertThat(Cli.processesWith(seconds)).as("processes left").isZero();
    }

    private static void awaitUp(BufferedReader stderr) throws IOException {
        List<String> before =
                stderr.lines().takeWhile(line -> !line.equals("up")).toList();
        assertThat(before).allMatch(line -> line.matches("\\d+"));
    }
}
