package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command line of {@code paddock exec}, on the host. {@link ExecEndTest} tests how commands
 * end.
 */
class ExecCommandTest {
    @TempDir
    private Path directory;

    private Cli.Result exec(String... arguments) throws Exception {
        return Cli.in(directory).run(onHost(arguments));
    }

    static String[] onHost(String... arguments) {
        String[] all = Arrays.copyOf(new String[] {"exec", "--executor", "host"}, 3 + arguments.length);
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return all;
    }

    @ParameterizedTest
    @CsvSource({
        "exit 0, 0",
        "exit 3, 3",
        "exit 255, 255",
        "exit 137, 137",
        "kill -9 $$, 137",
        "kill -TERM $$, 143",
        "no-such-command-here, 127",
        "/etc/passwd, 126"
    })
    void exitCodesAreCommands(String script, int code) throws Exception {
        assertThat(exec("-c", script).exitCode()).isEqualTo(code);
    }

    /** The image is docker's, and neither refused by the others nor a reason to take docker. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void ofSeveralExecutorsFirstUsableOneIsTaken() throws Exception {
        Cli.Result result = Cli.in(directory)
                .run("exec", "--executor", "seatbelt,landlock,docker", "--image", "no/such:1", "-n", "-c", "pwd");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
        assertThat(result.stdout()).isEqualTo(directory.toRealPath() + "\n");
        assertThat(Cli.in(directory)
                        .run("exec", "--executor", "landlock,host", "-n", "-c", "pwd")
                        .stderr())
                .contains("'host' cannot be one of several executors");
    }

    /** A configuration's shell is that of a model's commands. */
    @Test
    void shellOfOptionRunsCommand() throws Exception {
        String array = "words=(one two); echo ${words[1]} ${BASH_VERSION:+bash}";
        assertThat(exec("--shell", "bash", "-n", "-c", array)).isEqualTo(new Cli.Result(0, "two bash\n", ""));
        assertThat(exec("--shell", "sh", "-n", "-c", "echo $0").stdout()).doesNotContain("bash");
    }

    @Test
    void bothStreamsArePassedOnApart() throws Exception {
        assertThat(exec("-n", "-c", "echo out; echo err >&2")).isEqualTo(new Cli.Result(0, "out\n", "err\n"));
    }

    @Test
    void readerOfOneStreamThatPausesDoesNotHoldOther() throws Exception {
        Process process = Cli.in(directory)
                .start(onHost("-n", "-c", "head -c 1000000 /dev/zero & head -c 9000000 /dev/zero >&2; wait"));
        assertThat(process.getErrorStream().readNBytes(9_000_000))
                .as("while standard output is not read, and the pipes to it are full")
                .hasSize(9_000_000);
        assertThat(process.getInputStream().readAllBytes()).hasSize(1_000_000);
        assertThat(Cli.awaitExit(process)).isZero();
    }

    @Test
    void wordsArriveAsTheyAreGiven() throws Exception {
        Cli.Result result = exec("printf", "<%s>", "it's", "$HOME", "", "a\nb", "-n", "--", "*");
        assertThat(result.stdout()).isEqualTo("<it's><$HOME><><a\nb><-n><--><*>");
    }

    @Test
    void inputIsPassedOnToByteAndHasEnd() throws Exception {
        byte[] bytes = new byte[1 << 20];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) ((at * 31) >> 3);
        }
        Process process = Cli.in(directory).start(onHost("cat"));
        CompletableFuture<byte[]> output = CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(bytes);
        }
        assertThat(output.get()).isEqualTo(bytes);
        assertThat(Cli.finish(process).exitCode()).isZero();
    }

    @Test
    void openInputDoesNotDelayExit() throws Exception {
        Process process = Cli.in(directory).start(onHost("echo", "done"));
        assertThat(readAll(process.getInputStream())).asString().isEqualTo("done\n");
        assertThat(Cli.awaitExit(process)).isZero();
    }

    @Test
    void withoutInputCommandSeesItsEndAtOnce() throws Exception {
        assertThat(Cli.in(directory).call("not read", onHost("-n", "-c", "cat; echo end")))
                .isEqualTo(new Cli.Result(0, "end\n", ""));
    }

    @Test
    void runsInWorktree() throws Exception {
        Path worktree = Files.createDirectory(directory.resolve("tree"));
        assertThat(exec("--worktree", "tree", "pwd").stdout()).isEqualTo(worktree.toRealPath() + "\n");
        assertThat(exec("pwd").stdout()).isEqualTo(directory.toRealPath() + "\n");
    }

    @Test
    void environmentHoldsWhatWasGrantedAndNothingElse() throws Exception {
        Cli.Result result = Cli.in(directory)
                .env("SECRET_THING", "1")
                .env("PASSED", "2")
                .env("MY_TOKEN", "3")
                .run(onHost("-n", "--env", "GIVEN=a b", "--pass-env", "PASSED", "--pass-env", "MY_TOKEN", "env"));
        assertThat(result.stdout())
                .contains("GIVEN=a b\n", "PASSED=2\n")
                .doesNotContain("SECRET_THING", "MY_TOKEN", "PADDOCK_CALLER");
        assertThat(result.stderr()).contains("--pass-env MY_TOKEN is withheld", "MY_TOKEN!");
    }

    @Test
    void commandsGetCallersLocaleAndNotLaunchers() throws Exception {
        String[] show = onHost("-n", "-c", "echo \"${LC_ALL-unset}\"");
        assertThat(Cli.in(directory)
                        .env("LC_ALL", "C.UTF-8")
                        .env("PADDOCK_CALLER_LC_ALL", "")
                        .run(show)
                        .stdout())
                .isEqualTo("unset\n");
        assertThat(Cli.in(directory)
                        .env("LC_ALL", "C.UTF-8")
                        .env("PADDOCK_CALLER_LC_ALL", "POSIX")
                        .run(show)
                        .stdout())
                .isEqualTo("POSIX\n");
    }

    @Test
    void demandThatHostCannotEnforceIsRefusedAndNothingRuns() throws Exception {
        for (List<String> demand :
                List.of(List.of("--network", "off"), List.of("--memory", "64m"), List.of("--exec-cwd", "/elsewhere"))) {
            Cli.Result result = exec(demand.get(0), demand.get(1), "touch", "ran");
            assertThat(result.exitCode()).as("%s", demand).isEqualTo(125);
            assertThat(result.stderr()).startsWith("paddock: ").hasLineCount(1);
            assertThat(directory.resolve("ran")).doesNotExist();
        }
    }

    @Test
    void C14_withoutSandboxNothingRunsAndReasonIsNamed() throws Exception {
        Path declared = FakeProvider.declare(directory.resolve("services"), List.of(FakeProvider.Missing.class));
        Cli.Result result =
                Cli.in(directory).withoutSandboxes().classPath(declared).run("exec", "touch", "ran");
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr())
                .hasLineCount(1)
                .contains("missing is not available: its program is not installed", "Install it.");
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void faultIsOneLineUnlessMoreIsAskedFor() throws Exception {
        Path declared = FakeProvider.declare(directory.resolve("services"), List.of(FakeProvider.Broken.class));
        String[] call = {"exec", "--executor", "broken", "true"};
        Cli.Result result = Cli.in(directory).classPath(declared).run(call);
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stderr())
                .hasLineCount(1)
                .contains("the broken backend is broken in two lines", "PADDOCK_DEBUG=1");
        assertThat(Cli.in(directory)
                        .classPath(declared)
                        .env("PADDOCK_DEBUG", "1")
                        .run(call)
                        .stderr())
                .contains("\tat dev.paddock.cli.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    exec                          | there is no command to run
                    exec -c true true             | not both
                    exec --frobnicate true        | unknown option --frobnicate
                    exec --timeout 0 true         | --timeout is a number of seconds from 0.001
                    exec --timeout NaN true       | 'NaN'
                    exec --executor foo true      | --executor foo: there is no backend named 'foo'; there are auto
                    exec --worktree missing true  | the worktree does not exist: /
                    exec --worktree / true        | the worktree '/' is a directory of the system
                    mcp --worktree /proc          | the worktree '/proc' is in /proc, which the kernel provides
                    exce true                     | did you mean paddock exec?
                    --frobnicate                  | unknown option --frobnicate
                    """)
    void misuseIsReportedInOneLineWithExitCode2(String line, String message) throws Exception {
        Cli.Result result = Cli.in(directory).run(line.split(" "));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).hasLineCount(1).startsWith("paddock: ").contains(message, "--help");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec true", "mcp", "agent --script script.json -p x"})
    void homeDirectoryIsNoWorktreeByDefault(String line) throws Exception {
        Files.writeString(directory.resolve("script.json"), "{\"turns\": [{\"text\": \"done\"}]}");
        Cli.Result result = Cli.in(directory).env("HOME", directory.toString()).run(line.split(" "));
        assertThat(result.exitCode()).as("%s", result).isEqualTo(2);
        assertThat(result.stderr())
                .hasLineCount(1)
                .contains("the worktree '" + directory.toRealPath() + "' is your home directory", "--allow-home");
    }

    @Test
    void homeDirectoryIsWorktreeIfAllowedUnlessItContainsStateOfPaddock(@TempDir Path elsewhere) throws Exception {
        // The state is that of the process.
        Cli cli = Cli.in(directory).env("HOME", directory.toString()).forked();
        Path state = directory.resolve(".local/state");
        String[] allowed = {"exec", "--executor", "bwrap", "--allow-home", "pwd"};
        assertThat(cli.env("XDG_STATE_HOME", state.toString()).run(allowed))
                .satisfies(refused -> assertThat(refused.exitCode()).isEqualTo(125))
                .satisfies(
                        refused -> assertThat(refused.stderr()).contains("it contains Paddock's own state directory"));
        assertThat(cli.env("XDG_STATE_HOME", elsewhere.toString()).run(allowed).stdout())
                .isEqualTo(directory.toRealPath() + "\n");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws Exception {
        Cli cli = Cli.in(directory).env("LC_ALL", "C.UTF-8");
        Process shell =
                new ProcessBuilder("sh", "-c", cli.shellWords(onHost("echo")) + " \"$(printf 'a\\377b')\"").start();
        Cli.Result result = Cli.finish(shell);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr()).contains("UTF-8");
    }

    private static byte[] readAll(InputStream stream) {
        try {
            return stream.readAllBytes();
        } catch (IOException fault) {
            throw new java.io.UncheckedIOException(fault);
        }
    }

    @Test
    void helpIsShownWhereverItIsAskedFor() throws Exception {
        Cli.Result exec = Cli.in(directory).run("exec", "--executor", "host", "--help");
        assertThat(exec.exitCode()).isZero();
        assertThat(exec.stdout()).startsWith("usage: paddock exec").contains("--kill-grace", "Exit codes:");
        assertThat(exec.stdout().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(85));
        for (String[] call : List.of(new String[0], new String[] {"--help"})) {
            Cli.Result result = Cli.in(directory).run(call);
            assertThat(result.exitCode()).isZero();
            assertThat(result.stdout()).contains("exec", "doctor", "gc", "bench");
        }
        assertThat(new String(
                        Cli.in(directory).run("--version").stdout().getBytes(StandardCharsets.UTF_8),
                        StandardCharsets.UTF_8))
                .startsWith("paddock ");
    }
}
