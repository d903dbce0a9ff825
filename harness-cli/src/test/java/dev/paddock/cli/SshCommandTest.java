package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.fixtures.SshServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands with {@code --executor ssh}, over a real sshd. */
class SshCommandTest {
    private static SshServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws IOException {
        server = SshServer.start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private Cli.Result run(String command, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                command, "--executor", "ssh", "--host", SshServer.HOST, "--setting", "config=" + server.config()));
        line.addAll(List.of(words));
        return Cli.in(directory).run(line.toArray(String[]::new));
    }

    @Test
    void commandWorksInCopyOfWorktreeAndItsChangesComeBack() throws Exception {
        Files.writeString(directory.resolve("Makefile"), "all: ; echo built >out");

        Cli.Result result = run("exec", "-n", "-c", "pwd; cat Makefile >&2; echo built >out; exit 3");

        assertThat(result.stdout()).startsWith("/tmp/paddock-").endsWith("/work\n");
        assertThat(result.stderr()).isEqualTo("all: ; echo built >out");
        assertThat(result.exitCode()).isEqualTo(3);
        assertThat(directory.resolve("out")).hasContent("built");
        assertThat(Path.of(result.stdout().strip())).doesNotExist();
    }

    @Test
    void directoryThereCanBeNamedAndStays(@TempDir Path there) throws Exception {
        Files.writeString(directory.resolve("in"), "here");

        Cli.Result result = run("exec", "-n", "--exec-cwd", there.toString(), "-c", "pwd; cat in");

        assertThat(result).isEqualTo(new Cli.Result(0, there + "\nhere", ""));
        assertThat(there.resolve("in")).hasContent("here");
    }

    @Test
    void doctorConnects() throws Exception {
        Cli.Result result = run("doctor");

        assertThat(result.stdout())
                .contains("backend        ok      ssh")
                .contains("runs in")
                .contains("/tmp/paddock-");
        assertThat(result.exitCode()).isZero();
    }

    @Test
    void hostIsRequired() throws Exception {
        Cli.Result result = Cli.in(directory).run("exec", "--executor", "ssh", "--", "true");

        assertThat(result.stderr())
                .startsWith("paddock: the ssh backend needs the setting 'host'")
                .hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(2);
    }

    @Test
    void hostThatCannotBeReachedIsOnlyComplaint() throws Exception {
        Cli.Result result =
                Cli.in(directory).run("exec", "--executor", "ssh", "--host", "nowhere.invalid", "--", "true");

        assertThat(result.stderr())
                .startsWith("paddock: ssh is not available: the host 'nowhere.invalid' cannot be used:")
                .hasLineCount(1);
        assertThat(result.exitCode()).isEqualTo(125);
    }

    @Test
    void settingIsNameAndValueAndIsGivenOnce() throws Exception {
        assertThat(run("exec", "--setting", "port", "--", "true").stderr())
                .startsWith("paddock: --setting is NAME=VALUE, not 'port'");
        assertThat(run("exec", "--setting", "host=other", "--", "true").stderr())
                .startsWith("paddock: the setting 'host' is given twice");
        assertThat(run("exec", "--setting", "prt=22", "--", "true").stderr())
                .startsWith("paddock: the ssh backend has no setting 'prt'; it has config,");
        assertThat(run("exec", "--image", "debian", "--", "true").stderr())
                .startsWith("paddock: the ssh backend has no setting 'image'");
    }

    @Test
    void whatSandboxWouldForbidIsRefused() throws Exception {
        Cli.Result result = run("exec", "--network", "off", "--", "true");

        assertThat(result.stderr()).contains("commands run on another host, with the user's rights there");
        assertThat(result.exitCode()).isEqualTo(125);
    }
}
