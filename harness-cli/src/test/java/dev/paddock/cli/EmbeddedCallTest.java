package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.ExecutorProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls of the program within another one: each has its own surroundings, and leaves nothing. */
@EnabledOnOs(OS.LINUX)
class EmbeddedCallTest {
    private static final String[] SHOW = {
        "exec", "--executor", "host", "--pass-env", "NAME", "-c", "read line; pwd; echo \"$NAME $line\"; echo err >&2"
    };

    @TempDir
    Path directory;

    @Test
    void callsAtSameTimeHaveTheirOwnDirectoryEnvironmentAndStreams() throws Exception {
        int calls = 4;
        CountDownLatch ready = new CountDownLatch(calls);
        try (ExecutorService threads = Executors.newFixedThreadPool(calls)) {
            Map<Path, Future<Cli.Result>> results = IntStream.range(0, calls)
                    .mapToObj(number -> directory.resolve("tree" + number))
                    .collect(Collectors.toMap(
                            tree -> tree,
                            tree -> threads.submit(() -> {
                                Cli cli = Cli.in(Files.createDirectory(tree)).env("NAME", "of " + tree);
                                ready.countDown();
                                assertThat(ready.await(Cli.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                                        .isTrue();
                                return cli.call("line of " + tree + "\n", SHOW);
                            })));
            for (Map.Entry<Path, Future<Cli.Result>> result : results.entrySet()) {
                Path tree = result.getKey();
                assertThat(result.getValue().get())
                        .isEqualTo(new Cli.Result(
                                0, tree.toRealPath() + "\nof " + tree + " line of " + tree + "\n", "err\n"));
            }
        }
    }

    /** Nothing in the JVM's own directory and environment may be found. */
    @Test
    void programsAndRelativePathsAreFoundAsCallerFindsThem() throws Exception {
        Cli cli = Cli.in(directory).env("PATH", directory.toString());
        assertThat(cli.run("demo", "--executor", "host").stderr()).contains("git is needed and not installed here");
        assertThat(cli.run("config", "init", "--config", "own.yaml").stdout())
                .isEqualTo("wrote " + directory.resolve("own.yaml") + "\n");
        assertThat(cli.run("gc", "--accept", "absent").stderr()).contains("'" + directory.resolve("absent") + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec --executor host -- true",
                "exec --executor bwrap -- true",
                "exec --executor landlock -- true",
                "agent --executor bwrap --script script.json -p x",
                "guest run main.js --executor bwrap",
                "mcp --executor bwrap",
                "doctor",
                "gc --dry-run"
            })
    void callLeavesNoThreadAndNoProcess(String line) throws Exception {
        for (String backend : List.of("bwrap", "landlock")) {
            assumeThat(!line.contains(backend)
                            || ExecutorProviders.named(backend).probe().isUsable())
                    .isTrue();
        }
        Path script = Path.of(Turns.script(directory, Turns.bash("true"), Turns.DONE));
        Files.move(script, directory.resolve("script.json"));
        Files.writeString(directory.resolve("main.js"), "export const run = () => 1;");
        Cli cli = Cli.in(directory);
        // The first call starts what all calls in the JVM share.
        Cli.Result first = cli.run(line.split(" "));
        assertThat(first.exitCode()).as("%s", first).isZero();
        Set<String> threads = threads();
        Set<Long> processes = processes();
        Cli.Result second = cli.run(line.split(" "));
        assertThat(second.exitCode()).as("%s", second).isZero();
        // An idle thread ends after ten seconds.
        await("the call's threads end")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(threads).containsAll(threads()));
        await("the call's processes end")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(processes).containsAll(processes()));
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("paddock"))
                .collect(Collectors.toSet());
    }

    private static Set<Long> processes() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    /** A process of its own would exit; here the call returns, and has ended the command. */
    @Test
    void outputThatCannotBeWrittenEndsCall() throws Exception {
        String seconds = "86" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);
        String command = "echo x; sleep " + seconds;
        String script = Turns.script(directory, Turns.bash(command));
        for (List<String> words : List.of(
                List.of("exec", "--executor", "host", "-n", "-c", command),
                List.of("agent", "--executor", "host", "--script", script, "--json", "-p", "x"))) {
            Cli.Result result =
                    Cli.in(directory).callWriting(OutputFailureTest.fullDevice(), words.toArray(String[]::new));
            assertThat(result.exitCode()).as("%s", words).isEqualTo(125);
            assertThat(result.stderr())
                    .containsOnlyOnce("paddock: cannot write to standard output: No space left on device\n");
            assertThat(Cli.processesWith(seconds)).isZero();
        }
    }
}
