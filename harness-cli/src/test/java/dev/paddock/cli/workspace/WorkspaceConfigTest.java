package dev.paddock.cli.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock workspace} with configuration files, as a process. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class WorkspaceConfigTest {
    @TempDir
    private Path directory;

    private Path own;
    private Path project;

    @BeforeEach
    void makeProject() throws IOException {
        directory = directory.toRealPath();
        own = Files.createDirectories(directory.resolve("config/paddock")).resolve("paddock.yaml");
        project = Files.createDirectory(directory.resolve("project"));
        Files.writeString(directory.resolve("reference"), "read me\n");
        Files.writeString(directory.resolve(".gitconfig"), "[user]\n\tname = A User\n\temail = a@example.org\n");
    }

    private Cli.Result run(String... words) throws Exception {
        String[] all = new String[words.length + 1];
        all[0] = "workspace";
        System.arraycopy(words, 0, all, 1, words.length);
        return Cli.in(project)
                .env("XDG_STATE_HOME", directory.resolve("state").toString())
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .env("HOME", directory.toString())
                .run(all);
    }

    private String out(String... words) throws Exception {
        Cli.Result result = run(words);
        assertThat(result.exitCode()).as("%s", result).isZero();
        return result.stdout().strip();
    }

    @Test
    void usersFileGrantsAndProjectsFileCanOnlyNarrow() throws Exception {
        Files.writeString(own, """
                executor: bwrap
                limits: { file-size: 1m }
                mounts: [{ source: %s, target: /opt/reference }]
                environment: { set: { GREETING: hello } }
                """.formatted(directory.resolve("reference")));
        Files.writeString(project.resolve("paddock.yaml"), "limits: { file-size: 1k }\n");
        String id = out("open", "--copy", ".");
        assertThat(out("exec", id, "-n", "-c", "echo $GREETING; cat /opt/reference"))
                .isEqualTo("hello\nread me");
        assertThat(out("exec", id, "-n", "--env", "GREETING=bye", "-c", "echo $GREETING"))
                .as("an option counts before the file")
                .isEqualTo("bye");
        assertThat(run("exec", id, "-n", "-c", "head -c 100000 /dev/zero > large")
                        .exitCode())
                .as("the project's limit")
                .isNotZero();
        assertThat(out("exec", id, "-n", "-c", "head -c 1000 /dev/zero | wc -c > small; cat small"))
                .isEqualTo("1000");

        Files.writeString(project.resolve("paddock.yaml"), "network: open\n");
        Cli.Result widened = run("open", "--copy", ".");
        assertThat(widened.exitCode()).as("%s", widened).isEqualTo(2);
        assertThat(widened.stderr()).contains(project.resolve("paddock.yaml") + ":1", "network");
        Files.writeString(project.resolve("paddock.yaml"), "executor: host\n");
        assertThat(run("open", "--copy", ".").stderr()).contains("executor");
        assertThat(out("list").lines())
                .as("no other was made")
                .filteredOn(line -> line.contains("local"))
                .hasSize(1);
        out("close", id);
    }

    @Test
    void gitHasUsersIdentityInWorkspaceToo() throws Exception {
        String id = out("open");
        assertThat(out("exec", id, "-n", "git", "config", "user.email")).isEqualTo("a@example.org");
        assertThat(run("exec", id, "-n", "--identity", "none", "git", "config", "user.email")
                        .exitCode())
                .isNotZero();
        out("close", id);
    }

    @Test
    void wrongConfigurationStartsNothingAndSaysWhere() throws Exception {
        String id = out("open");
        Files.writeString(own, "limits:\n  memroy: 1g\n");
        Cli.Result refused = run("exec", id, "-n", "touch", "made");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(2);
        assertThat(refused.stderr()).contains(own + ":2", "memory");
        assertThat(run("open").exitCode()).isEqualTo(2);
        assertThat(out("list").lines())
                .as("what starts nothing needs no configuration")
                .hasSizeGreaterThan(0);
        out("close", id);
    }

    @Test
    void configurationsContainerIsNoWorkspaces() throws Exception {
        Files.writeString(own, "container: somebody\n");
        assertThat(run("open").stderr()).contains("names the container 'somebody'");
        String id = out("open", "--kind", "local-sandbox");
        out("close", id);
    }
}
