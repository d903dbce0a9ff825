package dev.paddock.cli;

import static dev.paddock.cli.ExecCommandTest.onHost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How commands end that do not exit by themselves, and that no process of them remains. */
@Tag("full")
class ExecEndTest {

    /** What ends takes a few seconds of it, the grace included; the sleeps go on for days. */
    private static final Duration END = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /**
     * The argument of the test's sleeps. No other process has it, so that the test finds its own by
     * it.
     */
    private final String seconds = "86" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);

    private Path script;

    @BeforeEach
    void writeScript() throws IOException {
        script = Files.writeString(directory.resolve("x"), """
                #!/bin/sh
                sleep %1$s & setsid sleep %1$s & sleep %1$s
                """.formatted(seconds));
    }

    private void awaitNothingLeft(Duration within) {
        await("the command's processes have ended")
                .atMost(within)
                .untilAsserted(() -> assertThat(Cli.processesWith(seconds))
                        .as("processes left")
                        .isZero());
    }

    private Process startScript(String... options) throws IOException {
        Cli cli = Cli.in(directory).withSignals();
        String[] call = new String[options.length + 2];
        System.arraycopy(options, 0, call, 0, options.length);
        call[options.length] = "sh";
        call[options.length + 1] = script.toString();
        Process process = cli.start(onHost(call));
        await("all three of the command's processes run")
                .atMost(Cli.PATIENCE)
                .until(() -> Cli.processesWith(seconds) == 3);
        return process;
    }

    @Test
    void timeoutEndsTreeWith124() throws Exception {
        Cli cli = Cli.in(directory);
        long began = System.nanoTime();
        Cli.Result result = cli.run(onHost("--timeout", "1", "sh", script.toString()));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.stderr()).contains("timeout of 1 s");
        assertThat(took).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void C12_nothingSurvivesDeathOfProgram() throws Exception {
        Process process = startScript();
        process.destroyForcibly().waitFor();
        awaitNothingLeft(END);
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void signalEndsTree(String signal, int code) throws Exception {
        Process process = startScript();
        Cli.send(signal, process);
        assertThat(Cli.finish(process).exitCode()).isEqualTo(code);
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void signalLeavesCommandItsGrace() throws Exception {
        Process process = Cli.in(directory)
                .withSignals()
                .start(onHost(
                        "--kill-grace",
                        "30",
                        "-c",
                        "trap 'echo cleaned up; exit 9' TERM; echo ready; sleep " + seconds + " & wait"));
        BufferedReader stdout = process.inputReader();
        assertThat(stdout.readLine()).isEqualTo("ready");
        Cli.send("INT", process);
        assertThat(stdout.readLine()).isEqualTo("cleaned up");
        assertThat(Cli.awaitExit(process)).isEqualTo(130);
        awaitNothingLeft(END);
    }

    @Test
    void secondSignalEndsAtOnceWhatIgnoresFirst() throws Exception {
        Process process = Cli.in(directory)
                .withSignals()
                .start(onHost(
                        "--kill-grace",
                        "3600",
                        "-c",
                        "trap 'echo received' TERM; echo ready; while :; do sleep " + seconds + "; done"));
        BufferedReader stdout = process.inputReader();
        assertThat(stdout.readLine()).isEqualTo("ready");
        await("the command's process runs").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(seconds) == 1);
        Cli.send("INT", process);
        assertThat(stdout.readLine()).isEqualTo("received");
        Cli.send("INT", process);
        assertThat(Cli.awaitExit(process)).isEqualTo(130);
        awaitNothingLeft(END);
    }

    @Test
    void readerThatGoesAwayEndsCommand() throws Exception {
        String paddock = Cli.in(directory).shellWords(onHost("-n", "-c", "yes " + seconds));
        Process shell = new ProcessBuilder("bash", "-c", paddock + " | head -n 1; echo \"${PIPESTATUS[0]}\"")
                .directory(directory.toFile())
                .start();
        assertThat(Cli.finish(shell)).isEqualTo(new Cli.Result(0, seconds + "\n141\n", ""));
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void fullDiskIsReported() throws Exception {
        Process process = Cli.in(directory)
                .builder(onHost("-n", "yes", seconds))
                .redirectOutput(Path.of("/dev/full").toFile())
                .start();
        Cli.Result result = Cli.finish(process);
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stderr()).contains("No space left on device");
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @Test
    void muchMoreThanHeapStreamsThrough() throws Exception {
        String paddock = Cli.in(directory).jvm("-Xmx64m").shellWords(onHost("-n", "-c", "yes | head -c 256M"));
        Process shell = new ProcessBuilder("sh", "-c", paddock + " | wc -c")
                .directory(directory.toFile())
                .start();
        Cli.Result result = Cli.finish(shell);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout().strip()).isEqualTo(Long.toString(256L << 20));
    }

    @Test
    void processesThatCommandLeavesAreEndedAndReported() throws Exception {
        Cli.Result result = Cli.in(directory).run(onHost("-n", "-c", "sleep " + seconds + " & echo done"));
        assertThat(result.exitCode()).isZero();
        assertThat(result.stdout()).isEqualTo("done\n");
        assertThat(result.stderr()).contains("left a process running");
        assertThat(Cli.processesWith(seconds)).isZero();
    }

    @ParameterizedTest
    @ClearsMachine
    @CsvSource({"exec --executor clinging -n true, TERM, 143", "gc, TERM, 143", "doctor, TERM, 143"})
    void terminationEndsProgramWhateverExecutorWaitsFor(String line, String signal, int code) throws Exception {
        Path declared = FakeProvider.declare(directory.resolve("services"), List.of(FakeProvider.Clinging.class));
        Process process = Cli.in(directory)
                .withSignals()
                .classPath(declared)
                .withoutSandboxes()
                .start(line.split(" "));
        BufferedReader stdout = process.inputReader();
        assertThat(stdout.readLine()).isEqualTo("disposing");
        long began = System.nanoTime();
        Cli.send(signal, process);
        assertThat(Cli.awaitExit(process)).isEqualTo(code);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(END);
    }
}
