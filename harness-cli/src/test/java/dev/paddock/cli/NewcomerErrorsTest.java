package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Walks through the errors that people make in their first hour. Each message is one line that says
 * what is wrong, names the value, and says what to do.
 */
class NewcomerErrorsTest {
    private static final int MISUSED = 2;
    private static final int FAILED = 125;

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    /** An error: the words after {@code paddock}, the exit code, and parts of the message. */
    record Mistake(String words, int exitCode, List<String> message, Map<String, String> environment) {

        static Mistake of(String words, int exitCode, String... message) {
            return new Mistake(words, exitCode, List.of(message), Map.of());
        }

        Mistake with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(environment);
            more.put(name, value);
            return new Mistake(words, exitCode, message, more);
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private Cli cli() {
        return Cli.in(directory)
                .env("XDG_STATE_HOME", state.toString())
                .withoutEnv("ANTHROPIC_API_KEY")
                .withoutEnv("ANTHROPIC_BASE_URL");
    }

    static List<Mistake> mistakes() {
        return List.of(
                // The names of other programs' commands.
                Mistake.of("run -it alpine sh", MISUSED, "unknown command run;", "paddock exec -- COMMAND", "--image"),
                Mistake.of("exce true", MISUSED, "unknown command exce;", "did you mean paddock exec?"),
                Mistake.of("make test", MISUSED, "unknown command make;", "paddock exec -- make ... runs a program"),
                Mistake.of("install claude", MISUSED, "unknown command install;", "paddock setup"),
                Mistake.of("status", MISUSED, "unknown command status;", "paddock doctor"),
                Mistake.of("--frobnicate", MISUSED, "unknown option --frobnicate", "paddock --help"),
                // Docker's options.
                Mistake.of("exec -it true", MISUSED, "unknown option -it;", "leave it out", "-t demands it"),
                Mistake.of("exec -v /data:/data true", MISUSED, "unknown option -v;", "--mount SRC:DST[:ro|rw]"),
                Mistake.of("exec -e A=1 true", MISUSED, "unknown option -e;", "--env NAME=VALUE"),
                Mistake.of("exec --rm true", MISUSED, "unknown option --rm;", "leave it out"),
                Mistake.of("exec -w /srv true", MISUSED, "unknown option -w;", "--worktree DIR"),
                Mistake.of("exec -u 1000 true", MISUSED, "unknown option -u;", "commands run as you"),
                Mistake.of("exec -p 80:80 true", MISUSED, "unknown option -p;", "--publish [HOST:]PORT"),
                Mistake.of("exec --netwrk open true", MISUSED, "unknown option --netwrk", "did you mean --network?"),
                Mistake.of("exec --network none true", MISUSED, "--network none:", "'off', 'open' or 'allow'"),
                Mistake.of("exec --env A true", MISUSED, "not 'A'", "--pass-env NAME"),
                Mistake.of("exec --mount /data true", MISUSED, "--mount /data"),
                Mistake.of("exec --memory lots true", MISUSED, "--memory lots:", "512m"),
                // The command line of exec.
                Mistake.of("exec", MISUSED, "there is no command to run", "paddock exec -- ls"),
                Mistake.of("exec --", MISUSED, "there is no command to run", "paddock exec -- ls"),
                Mistake.of("exec -c true true", MISUSED, "not both: 'true'"),
                Mistake.of("exec --timeout soon true", MISUSED, "'soon'", "5m"),
                Mistake.of("exec --timeout", MISUSED, "--timeout lacks its value", "SECONDS"),
                Mistake.of("exec --executor podman true", MISUSED, "Podman", "name docker", "DOCKER_HOST"),
                Mistake.of("exec --worktree missing true", MISUSED, "does not exist: /", "missing", "create"),
                Mistake.of("exec --worktree file true", MISUSED, "is not a directory: /", "name the directory"),
                Mistake.of("exec --worktree loop true", MISUSED, "cannot be opened: /", "loop", "make it accessible"),
                Mistake.of("exec --worktree / true", MISUSED, "'/' is a directory of the system", "--worktree"),
                Mistake.of("exec --executor host --network off true", FAILED, "network", "off"),
                // The engine.
                Mistake.of("exec --image paddock-test/busybox true", FAILED, "/nonexistent/docker.sock", "Start it")
                        .with("DOCKER_HOST", "unix:///nonexistent/docker.sock"),
                Mistake.of("exec --image paddock-test/busybox true", FAILED, "the Podman engine at", "podman.socket")
                        .with("DOCKER_HOST", "unix:///nonexistent/podman/podman.sock"),
                Mistake.of("exec --executor docker true", MISUSED, "docker", "image"),
                Mistake.of("exec --image a --container b true", MISUSED, "--image", "--container", "give one of them"),
                Mistake.of(
                                "exec --image a true",
                                FAILED,
                                "neither unix:// nor tcp://: 'garbage'",
                                "Correct DOCKER_HOST")
                        .with("DOCKER_HOST", "garbage"),
                Mistake.of(
                        "exec --config absent.yaml true", MISUSED, "/absent.yaml does not exist", "name another file"),
                // The agent's model.
                Mistake.of("agent -p Go", MISUSED, "--provider and --model"),
                Mistake.of("agent --provider anthropic -p Go", MISUSED, "--provider anthropic needs --model NAME"),
                Mistake.of("agent --provider antropic --model m -p Go", MISUSED, "antropic", "anthropic, openai"),
                Mistake.of(
                        "agent --executor host --provider anthropic --model m -p Go",
                        MISUSED,
                        "ANTHROPIC_API_KEY is not set",
                        "set it to the provider's key"),
                Mistake.of("agent --script absent.json -p Go", MISUSED, "absent.json"),
                // The MCP server, and the agents' settings.
                Mistake.of("mcp serve", MISUSED, "unexpected argument 'serve'", "--help"),
                Mistake.of("mcp --ask sometimes", MISUSED, "never, outside, changes, always, not 'sometimes'"),
                Mistake.of("mcp --max-output 262145", MISUSED, "--max-output is at most 262144, not 262145"),
                Mistake.of("mcp --publish 127.0.0.1:1:2", MISUSED, "--publish", "'127.0.0.1:1:2' is no port"),
                Mistake.of("setup", MISUSED, "claude", "codex", "cursor", "vscode"),
                Mistake.of("setup emacs", MISUSED, "emacs", "claude", "codex", "cursor", "vscode"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void mistakeIsOneLineWithValueAndRemedy(Mistake mistake) throws Exception {
        Files.createFile(directory.resolve("file"));
        Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        Cli cli = cli();
        mistake.environment().forEach(cli::env);
        Cli.Result result = cli.run(mistake.words().split(" "));
        assertThat(result.stderr()).startsWith("paddock: ").hasLineCount(1).contains(mistake.message());
        assertThat(result.exitCode()).isEqualTo(mistake.exitCode());
        assertThat(result.stdout()).isEmpty();
    }

    /** As by {@code paddock exec -c "$SCRIPT"}, which would succeed without having run anything. */
    @Test
    void emptyCommandIsRefused() throws Exception {
        for (List<String> words : List.of(List.of("-c", ""), List.of("-c", " "), List.of("--", ""))) {
            Cli.Result result = cli().run(words("exec --executor host -n", words.toArray(String[]::new)));
            assertThat(result.exitCode()).as("%s", words).isEqualTo(MISUSED);
            assertThat(result.stderr()).hasLineCount(1).contains("there is no command to run", "empty text", "unset");
        }
    }

    /** Root may read it. */
    @Test
    void worktreeThatUserCannotReadIsNamed() throws Exception {
        Path closed = Files.createDirectory(directory.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        assumeThat(Files.isReadable(closed)).isFalse();
        Cli.Result result = cli().run("exec", "--worktree", "closed", "true");
        assertThat(result.exitCode()).isEqualTo(MISUSED);
        assertThat(result.stderr()).hasLineCount(1).contains("cannot be read by you: ", "closed", "--worktree");
    }

    @Test
    void engineThatClosesConnectionIsNamed() throws Exception {
        try (ServerSocket engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread closer = new Thread(() -> {
                while (!engine.isClosed()) {
                    try {
                        engine.accept().close();
                    } catch (java.io.IOException closed) {
                        return;
                    }
                }
            });
            closer.setDaemon(true);
            closer.start();
            String address = "127.0.0.1:" + engine.getLocalPort();
            Cli.Result result =
                    cli().env("DOCKER_HOST", "tcp://" + address).run("exec", "--image", "paddock-test/busybox", "true");
            assertThat(result.stderr()).hasLineCount(1).contains(address, "DOCKER_HOST");
            assertThat(result.exitCode()).isEqualTo(FAILED);
        }
    }

    /** The reason is what git says; where the network is not switched off, it is not Paddock's. */
    @Test
    void commandThatMissesNetworkIsExplained() throws Exception {
        McpBackend.BWRAP.require();
        String[] clone = {"git", "ls-remote", "https://paddock.invalid/x.git"};
        Cli.Result off = cli().run(words("exec --executor bwrap -n --", clone));
        assertThat(off.exitCode()).isEqualTo(128);
        assertThat(off.stderr())
                .contains("Could not resolve host: paddock.invalid")
                .contains("the network is off for commands; --network open lets this one use it\n");
        Cli.Result open = cli().run(words("exec --executor host -n --", clone));
        assertThat(open.exitCode()).isEqualTo(128);
        assertThat(open.stderr()).contains("Could not resolve host").doesNotContain("--network");
        String quiet = "echo Could not resolve host >&2";
        assertThat(cli().run("exec", "--executor", "bwrap", "-n", "-c", quiet).stderr())
                .as("a command that succeeds needs no explanation")
                .isEqualTo("Could not resolve host\n");
    }

    private static String[] words(String first, String... rest) {
        String[] own = first.split(" ");
        String[] all = Arrays.copyOf(own, own.length + rest.length);
        System.arraycopy(rest, 0, all, own.length, rest.length);
        return all;
    }
}
