package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Commands that need one server of the machine, and no other. */
@EnabledOnOs(OS.LINUX)
class LocalServerTest {
    private static final Pattern SERVING = Pattern.compile("Serving HTTP on .* port (\\d+)");

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @SuppressWarnings("NullAway.Init") // set before each test
    private Process server;

    private int port;

    @BeforeEach
    void serve() throws Exception {
        Programs.require("python3");
        Programs.require("curl");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Path served = Files.createDirectory(real.resolve("served"));
        Files.writeString(served.resolve("row"), "a row of the database\n");
        server = new ProcessBuilder("python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1")
                .directory(served.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        BufferedReader out = server.inputReader();
        Matcher line = SERVING.matcher(String.valueOf(out.readLine()));
        Prerequisite.require(line.find(), "no server of python3 on the loopback");
        port = Integer.parseInt(line.group(1));
    }

    @AfterEach
    void stop() throws Exception {
        server.destroyForcibly().waitFor();
    }

    @Test
    void oneServerIsReachedOnceItIsAllowed() {
        String fetch = "curl -fsS http://localhost:" + port + "/row";
        Paddock.Result without = paddock.script("bwrap", fetch);
        assertThat(without.exitCode()).isNotZero();
        assertThat(without.stdout()).isEmpty();

        Paddock.Result allowed = paddock.script("bwrap", fetch, "--allow", "localhost:" + port);
        assertThat(allowed.stdout()).as(allowed.stderr()).isEqualTo("a row of the database\n");
        assertThat(allowed.exitCode()).isZero();
    }

    @Test
    void byItsOtherNameItLeavesLocalhostToCommands() {
        String fetch = "curl -fsS http://localhost:" + port + "/row";
        Paddock.Result beside = paddock.script(
                "bwrap",
                "curl -fsS http://host.internal:" + port + "/row; " + fetch,
                "--allow",
                "host.internal:" + port);
        assertThat(beside.stdout()).as(beside.stderr()).isEqualTo("a row of the database\n");
        assertThat(beside.exitCode()).as("localhost is the command's own").isNotZero();
    }

    @Test
    void fileOfWorktreeCannotAllowIt() throws Exception {
        Files.writeString(project.resolve("paddock.yaml"), "network: { allow: [\"localhost:" + port + "\"] }\n");
        Paddock.Result result = paddock.script("bwrap", "curl -fsS http://localhost:" + port + "/row");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).contains("the network of [localhost:" + port + "] is not granted");
    }

    @Test
    void sandboxThatCannotSaysWhy() {
        Paddock.Result landlock = paddock.script("landlock", "true", "--allow", "localhost:" + port);
        assertThat(landlock.exitCode()).isNotZero();
        assertThat(landlock.stderr())
                .contains(
                        "limit the network to chosen hosts, localhost:" + port,
                        "rules name ports without addresses",
                        "use bwrap or docker");
    }
}
