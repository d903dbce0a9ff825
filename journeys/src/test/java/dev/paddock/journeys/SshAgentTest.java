package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.fixtures.SshServer;
import dev.paddock.fixtures.TestNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of granting.md that grants an SSH agent, with a server of this machine in place of GitHub's. */
@EnabledOnOs(OS.LINUX)
class SshAgentTest {
    private static final Path PAGE = Path.of("../docs/granting.md");
    private static final String PLACE = "github.com:22";

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Path home = Path.of("home");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require("ssh-agent");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        home = Files.createDirectory(real.resolve("home"));
        Path socket = real.resolve("agent.sock");
        paddock = Paddock.in(project, home).env("SSH_AUTH_SOCK", socket.toString());
        paddock.host("eval $(ssh-agent -a " + socket + ") && echo $SSH_AGENT_PID > " + home + "/agent.pid");
    }

    @AfterEach
    void endAgent() throws Exception {
        if (Files.exists(home.resolve("agent.pid"))) {
            paddock.host("kill $(cat " + home + "/agent.pid)");
        }
    }

    @Test
    @Tag("full")
    void documentedLineFetches() throws Exception {
        try (SshServer server = SshServer.start()) {
            String host = TestNames.put("gitserver", "127.0.0.1");
            Path keys = server.config().resolveSibling("");
            paddock.host("ssh-add -q " + keys.resolve("user"));
            Path ssh = Files.createDirectory(
                    home.resolve(".ssh"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.writeString(
                    ssh.resolve("known_hosts"),
                    "[" + host + "]:" + server.port() + " " + Files.readString(keys.resolve("host.pub")));
            paddock.host("git init -q --bare ../origin && git init -q && git remote add origin ssh://"
                    + System.getProperty("user.name") + "@" + host + ":" + server.port() + root.toRealPath()
                    + "/origin");

            Paddock.Result result = paddock.run(documented(host + ":" + server.port() + "/private"));
            assertThat(result.exitCode()).as(result.stderr()).isZero();
            assertThat(paddock.run("exec", "--executor", "bwrap", "--", "git", "fetch")
                            .exitCode())
                    .as("without the grants")
                    .isNotZero();
        }
    }

    /** Returns the words of the line, as the user's shell passes them on. */
    private String[] documented(String place) throws Exception {
        List<String> lines = Files.readString(PAGE)
                .replaceAll("\\\\\n *", "") // a line that goes on
                .lines()
                .filter(text -> text.startsWith("paddock ") && text.contains("SSH_AUTH_SOCK"))
                .toList();
        assertThat(lines).singleElement().asString().contains(" --allow " + PLACE + " ");
        String words = lines.getFirst()
                .replaceFirst("^paddock exec", "exec --executor bwrap")
                .replace(PLACE, place);
        return paddock.host("printf '%s\\n' " + words).split("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void whereSocketsAreDeniedHintSaysSo(String sandbox) {
        Paddock.Result result = paddock.script(
                sandbox,
                "ssh-add -l",
                "--network",
                "open",
                "--pass-env",
                "SSH_AUTH_SOCK!",
                "--mount",
                paddock.environment().get("SSH_AUTH_SOCK") + ":"
                        + paddock.environment().get("SSH_AUTH_SOCK") + ":rw");
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.stderr()).contains("agent.sock is a unix socket", "--allow HOST");
    }
}
