package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the commands with {@code --executor docker}, on the engine and in the images of the Docker
 * executor's tests.
 */
class DockerCommandTest {
    private static final String IMAGE = "paddock-test/busybox";

    @TempDir
    private Path directory;

    @BeforeAll
    static void requireImage() throws Exception {
        boolean isThere =
                DockerClient.run("image", "inspect", "--format", "there", IMAGE).equals("there");
        if (System.getenv("CI") == null) {
            assumeTrue(isThere, "these tests take a Docker engine with the images of build/test-images.sh");
        }
        assertThat(isThere).as("the engine has the image " + IMAGE).isTrue();
    }

    private Cli cli() {
        return Cli.in(directory);
    }

    @Tag("full")
    @Test
    void containerRunsOnModulePath(@TempDir Path worktree) throws Exception {
        JavaProgram.runAsModule(worktree, "exec", "--image", IMAGE, "-n", "--", "echo", "done");
    }

    @Tag("full")
    @Test
    void demoRunsInContainer() throws Exception {
        Cli.Result result = cli().run("demo", "--executor", "docker", "--image", IMAGE);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout())
                .contains("commands  in a sandbox, docker, in /work")
                .containsSubsequence("FAILED  1900 is a common year", "0 failed", "+    [ $((year % 400)) -eq 0 ]");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void commandRunsInContainerOfImage() throws Exception {
        Process process =
                cli().start("exec", "--image", IMAGE, "-c", "cat; pwd; echo made >file; echo err >&2; exit 3");
        process.getOutputStream().write("in\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(Cli.finish(process)).isEqualTo(new Cli.Result(3, "in\n/work\n", "err\n"));
        assertThat(directory.resolve("file")).hasContent("made");
    }

    @Test
    void commandRunsInContainerThatRuns() throws Exception {
        String container =
                DockerClient.run("run", "-d", "-i", "--network=none", "--workdir=/tmp", IMAGE, "sh", "-c", "read x");
        assertThat(container).isNotEmpty();
        try {
            Cli.Result result =
                    cli().run("exec", "--container", container, "--exec-cwd", "/tmp", "-n", "-c", "hostname; pwd");
            assertThat(result).isEqualTo(new Cli.Result(0, container.substring(0, 12) + "\n/tmp\n", ""));
            assertThat(DockerClient.run("inspect", "--format", "{{.State.Status}}", container))
                    .isEqualTo("running");
        } finally {
            DockerClient.run("rm", "-f", container);
        }
    }

    @Test
    void C14_missingImageOrContainerIsOneLine() throws Exception {
        Cli.Result noImage = cli().run("exec", "--image", "127.0.0.1:1/absent:1", "true");
        assertThat(noImage.exitCode()).isEqualTo(125);
        assertThat(noImage.stderr().lines().toList()).hasSize(2).satisfies(lines -> {
            assertThat(lines.get(0)).isEqualTo("paddock: fetching the image '127.0.0.1:1/absent:1'");
            assertThat(lines.get(1)).contains("could not be fetched", "docker pull 127.0.0.1:1/absent:1");
        });
        Cli.Result noContainer = cli().run("exec", "--container", "no-such-container", "true");
        assertThat(noContainer.exitCode()).isEqualTo(125);
        assertThat(noContainer.stderr()).hasLineCount(1).contains("no container 'no-such-container'");
        Cli.Result noEngine =
                cli().env("DOCKER_HOST", "unix:///nonexistent/docker.sock").run("exec", "--image", IMAGE, "true");
        assertThat(noEngine.exitCode()).isEqualTo(125);
        assertThat(noEngine.stderr()).hasLineCount(1).contains("/nonexistent/docker.sock", "Start it");
        assertThat(List.of(noImage.stdout(), noContainer.stdout(), noEngine.stdout()))
                .containsOnly("");
    }

    @Test
    void signalEndsCommandAndItsContainer() throws Exception {
        Process process = cli().withSignals()
                .start(
                        "exec",
                        "--image",
                        IMAGE,
                        "-c",
                        "cat /etc/hostname; trap 'exit 0' TERM; while :; do sleep 1; done");
        BufferedReader stdout = process.inputReader();
        String container = stdout.readLine();
        assertThat(DockerClient.run("inspect", "--format", "{{.State.Status}}", container))
                .isEqualTo("running");
        Cli.send("INT", process);
        assertThat(Cli.awaitExit(process)).isEqualTo(130);
        await("the container is removed")
                .atMost(Cli.PATIENCE)
                .until(() -> DockerClient.run("inspect", "--format", "{{.State.Status}}", container)
                        .isEmpty());
        assertThat(directory).isEmptyDirectory();
    }

    /**
     * A command that stops every process that it can reach: the one that would kill it, and the
     * engine's own while it starts another, which locks the container for the engine.
     */
    private static final String STOP_ALL = """
            : >begun
            me=$$
            while :; do
                for p in /proc/[0-9]*; do
                    read -r name <"$p/comm"
                    [ "${p#/proc/}" = $me ] || kill -STOP "${p#/proc/}"
                    case $name in runc*) : >stopped ;; esac
                done
            done 2>/dev/null
            """;

    /** Bounds the end of a command after its timeout or a signal; without it, it would never end. */
    private static final Duration END = Duration.ofSeconds(30);

    private Duration sinceItBegan() throws IOException {
        return Duration.between(
                Files.getLastModifiedTime(directory.resolve("begun")).toInstant(), Instant.now());
    }

    @Tag("full")
    @Test
    void timeoutEndsCommandThatStopsEverything() throws Exception {
        Cli.Result result = cli().run("exec", "--image", IMAGE, "-n", "--timeout", "3", "-c", STOP_ALL);
        assertThat(sinceItBegan()).isLessThan(END.plusSeconds(3));
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(result.stderr()).contains("timeout of 3 s", "The container was ended");
        assertThat(directory.resolve("stopped")).exists();
    }

    @Tag("full")
    @Test
    void signalEndsCommandThatStopsEverything() throws Exception {
        Process process = cli().withSignals().start("exec", "--image", IMAGE, "-n", "-c", STOP_ALL);
        await("the command has stopped a process of the engine's")
                .atMost(Cli.PATIENCE)
                .until(() -> Files.exists(directory.resolve("stopped")));
        Cli.send("TERM", process);
        long sent = System.nanoTime();
        assertThat(Cli.finish(process).exitCode()).isEqualTo(143);
        assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(END);
    }
}
