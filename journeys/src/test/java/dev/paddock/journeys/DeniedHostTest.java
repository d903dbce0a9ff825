package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.fixtures.TestNames;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that a command needs, and that the user has not allowed. */
@EnabledOnOs(OS.LINUX)
class DeniedHostTest {
    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
    }

    @Test
    void itIsReportedOnceWhenItIsDenied() throws Exception {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        String script =
                "for try in 1 2 3; do getent hosts registry.example; done; until [ -e go ]; do sleep 0.05; done";
        CompletableFuture<Paddock.Result> running = CompletableFuture.supplyAsync(
                () -> paddock.run(stderr, "exec", "--executor", "bwrap", "--allow", "allowed.example", "-c", script));
        String message = "paddock: registry.example was not reached: not allowed; --allow registry.example allows it\n";
        Awaitility.await("the message")
                .untilAsserted(() ->
                        assertThat(stderr.toString(StandardCharsets.UTF_8)).isEqualTo(message));
        Files.createFile(project.resolve("go"));
        Paddock.Result result = running.join();
        assertThat(result.exitCode()).isZero();
        assertThat(result.stderr())
                .startsWith(message)
                .doesNotContainPattern("(?s)--allow.*--allow")
                .contains("Allowed: allowed.example.");
    }

    /** Path 9: pip, cargo and others try several times, and some wait for minutes. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void networkThatIsOffIsNamedWhileCommandStillTries(String sandbox) throws Exception {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        String message = "WARNING: Retrying after connection broken by: Temporary failure in name resolution";
        String script =
                "echo '" + message + "' >&2; until [ -e go ]; do sleep 0.05; done; echo '" + message + "' >&2; exit 1";
        CompletableFuture<Paddock.Result> running =
                CompletableFuture.supplyAsync(() -> paddock.run(stderr, "exec", "--executor", sandbox, "-c", script));
        Awaitility.await("the hint")
                .untilAsserted(() -> assertThat(stderr.toString(StandardCharsets.UTF_8))
                        .contains("paddock: the network is off for commands"));
        Files.createFile(project.resolve("go"));
        Paddock.Result result = running.join();
        assertThat(result.exitCode()).isOne();
        assertThat(result.stderr().split("the network is off for commands", -1))
                .as("said once: %s", result.stderr())
                .hasSize(2);
    }

    /** Programs that retry without a word: bubblewrap notices their look-ups. */
    @Test
    void nameThatProgramLooksUpInSilenceIsNamedWhileNetworkIsOff() throws Exception {
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        String script = "until [ -e go ]; do getent hosts registry.example; sleep 0.05; done; exit 1";
        CompletableFuture<Paddock.Result> running =
                CompletableFuture.supplyAsync(() -> paddock.run(stderr, "exec", "--executor", "bwrap", "-c", script));
        String message = "paddock: registry.example was not reached: the network is off for commands; --network open"
                + " lets this one use it\n";
        Awaitility.await("the message")
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() ->
                        assertThat(stderr.toString(StandardCharsets.UTF_8)).isEqualTo(message));
        Files.createFile(project.resolve("go"));
        assertThat(running.join().stderr()).as("once").isEqualTo(message);
    }

    @Test
    void silentFailureWithoutNetworkNamesHost() {
        Programs.require("curl");
        Paddock.Result failed = paddock.script("bwrap", "curl -s https://registry.example");
        assertThat(failed.exitCode()).isEqualTo(6);
        assertThat(failed.stderr())
                .isEqualTo("paddock: registry.example was not reached: the network is off for commands; --network"
                        + " open lets this one use it\n");
    }

    /** npm's own settings make it wait 70 s for the second and third attempt. */
    @Test
    @Tag("full")
    void npmSoonStopsTrying() throws Exception {
        Programs.require("npm");
        Files.writeString(project.resolve("package.json"), "{\"dependencies\": {\"left-pad\": \"1.3.0\"}}");
        Paddock.Result result =
                paddock.script("bwrap", "npm install", "--allow", "allowed.example", "--timeout", "28s");
        assertThat(result.exitCode()).as(result.stderr()).isEqualTo(1);
        assertThat(result.stderr()).contains("registry.npmjs.org was not reached: not allowed");
    }

    @Test
    void addressOfSpecialUseSaysWhatAllowsIt() {
        Programs.require("curl");
        String host = TestNames.put("metadata", "169.254.169.254");
        Paddock.Result result = paddock.script("bwrap", "curl -fsS http://" + host, "--allow", host);
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.stderr())
                .contains(host + ":80 was not reached: its address 169.254.169.254 is of a special use, which no rule"
                        + " allows; only an open network does")
                .doesNotContain("--allow");
    }
}
