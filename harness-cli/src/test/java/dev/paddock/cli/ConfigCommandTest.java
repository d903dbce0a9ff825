package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.command.ConfigFiles;
import dev.paddock.executor.policy.ProtectedPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests configuration files on the command line. */
@EnabledOnOs(OS.LINUX)
class ConfigCommandTest {
    @TempDir
    private Path directory;

    private Path worktree;
    private Path user;

    @BeforeEach
    void createDirectories() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
        user = Files.createDirectories(directory.resolve("config/paddock")).resolve("paddock.yaml");
    }

    private Cli.Result run(String... words) throws Exception {
        return Cli.in(worktree)
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .run(words);
    }

    /** Commands can write the worktree's file, so the guard has to settle it. */
    @Test
    void worktreesFileIsProtectedPath() {
        assertThat(ProtectedPaths.standard().names()).contains(ConfigFiles.NAME);
    }

    @Test
    void callersFileAppliesAndOptionsCountOverIt() throws Exception {
        Files.createDirectory(directory.resolve("data"));
        Files.writeString(directory.resolve("data/file"), "content");
        Files.writeString(user, """
                executor: bwrap
                mounts: [ { source: ../../data, target: /opt/data } ]
                environment: { set: { GREETING: hello, NAME: file } }
                """);
        Cli.Result result = run("exec", "-n", "--env", "NAME=option", "-c", "echo $GREETING $NAME; cat /opt/data/file");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo("hello option\ncontent");
        assertThat(run("exec", "-n", "--executor", "host", "--env", "NAME=x", "-c", "echo $GREETING")
                        .stdout())
                .as("the host mounts nothing")
                .isEmpty();
    }

    @Test
    void worktreesFileNarrowsAndNeverWidens() throws Exception {
        Path project = worktree.resolve("paddock.yaml");
        Files.writeString(project, "network: off\n\nexecutor: host\n");
        for (String[] words : List.of(
                new String[] {"exec", "-n", "touch", "ran"},
                new String[] {"mcp"},
                new String[] {"agent", "--provider", "ollama", "--model", "x", "-p", "hello"},
                new String[] {"config", "show"})) {
            Cli.Result refused = run(words);
            assertThat(refused.exitCode()).as(refused.toString()).isEqualTo(2);
            assertThat(refused.stderr())
                    .isEqualTo("paddock: " + project
                            + ":3: the executor 'host' may confine less than 'auto'; a file in the worktree can only"
                            + " narrow what your own configuration grants\n");
        }
        assertThat(worktree.resolve("ran")).doesNotExist();
        Files.writeString(user, "executor: host\n");
        assertThat(run("exec", "-n", "touch", "ran").stderr())
                .as("the host cannot keep the network off, which the worktree's file asks for")
                .contains("network");
        assertThat(run("exec", "-n", "--network", "open", "touch", "ran").exitCode())
                .isZero();
        assertThat(worktree.resolve("ran")).exists();
    }

    @Test
    void namedFileReplacesCallersOwnOrWorktrees() throws Exception {
        Files.writeString(user, "executor: bwrap\nenvironment: { set: { A: own } }\n");
        Files.writeString(worktree.resolve("paddock.yaml"), "environment: { set: { DEBUG: project } }\n");
        Files.writeString(directory.resolve("named.yaml"), "executor: bwrap\nenvironment: { set: { A: named } }\n");
        Files.writeString(worktree.resolve("other.yaml"), "environment: { set: { DEBUG: other } }\n");
        String print = "echo $A $DEBUG";
        assertThat(run("exec", "-n", "-c", print).stdout()).isEqualTo("own project\n");
        assertThat(run("exec", "-n", "--config", "../named.yaml", "-c", print).stdout())
                .isEqualTo("named project\n");
        assertThat(run("exec", "-n", "--config", "other.yaml", "-c", print).stdout())
                .isEqualTo("own other\n");
        Cli.Result absent = run("exec", "-n", "--config", "absent.yaml", "-c", print);
        assertThat(absent.exitCode()).isEqualTo(2);
        assertThat(absent.stderr()).contains("absent.yaml does not exist");
    }

    @Test
    void commandsCannotWriteConfiguration() throws Exception {
        String write = "echo 'network: open' >paddock.yaml; echo x >other.yaml";
        run("exec", "-n", "--executor", "bwrap", "-c", write);
        assertThat(worktree.resolve("other.yaml")).exists();
        assertThat(worktree.resolve("paddock.yaml")).doesNotExist();

        Path own = directory.resolve("config/paddock/paddock.yaml");
        Files.writeString(directory.resolve("outside"), "");
        Cli.Result within = Cli.in(directory)
                .env("XDG_CONFIG_HOME", directory.resolve("config").toString())
                .run(
                        "exec",
                        "-n",
                        "--executor",
                        "bwrap",
                        "-c",
                        "echo 'network: open' >config/paddock/paddock.yaml; echo y >config/other; echo z >outside");
        assertThat(directory.resolve("outside")).as(within.toString()).hasContent("z");
        assertThat(directory.resolve("config/other")).hasContent("y");
        assertThat(own).doesNotExist();
        Cli.Result mounted = run("exec", "-n", "--mount", "../config:/opt/config:rw", "true");
        assertThat(mounted.exitCode()).isEqualTo(2);
        assertThat(mounted.stderr()).contains("would let commands write your configuration");
    }

    @Test
    void configurationIsBegunShownAndChecked() throws Exception {
        Cli.Result begun = run("config", "init");
        assertThat(begun.stdout()).isEqualTo("wrote " + user + "\n");
        assertThat(run("config", "init").stderr()).contains(user + " exists already");
        assertThat(run("config", "show").stdout())
                .contains("executor: auto  # the default\n", "network: off  # " + user + ":3\n");
        assertThat(run("config", "show").stdout())
                .contains(
                        "# Bounds on what commands choose:\n",
                        " 4 GiB  (setting maxFetch)\n",
                        " 600 s  (setting fetchTimeout)\n",
                        " 1,000,000\n",
                        " 3,750,000 bytes\n",
                        " 64 KiB\n");
        assertThat(run("config", "show", "--network", "open").stdout()).contains("network: open\n");
        Cli.Result checked = run("config", "check", "--executor", "bwrap");
        assertThat(checked.exitCode()).as(checked.toString()).isZero();
        assertThat(checked.stdout()).contains("configuration  ok", "backend        ok      bwrap", "command        ok");
        assertThat(run("config", "schema").stdout()).startsWith("{").contains("\"network\"");
        assertThat(run("config").exitCode()).isEqualTo(2);
        assertThat(run("config", "chekc").stderr()).contains("there is no 'config chekc'");
        assertThat(run("config", "check", "my.yaml").stderr())
                .contains("'config check' takes no 'my.yaml'; --config names a file");
    }

    @Test
    void doctorChecksWhatOptionsNeed() throws Exception {
        Cli.Result sandbox = run("doctor", "--executor", "bwrap");
        assertThat(sandbox.exitCode()).as(sandbox.toString()).isZero();
        Cli.Result host = run("doctor", "--executor", "host", "--network", "off");
        assertThat(host.exitCode()).isEqualTo(1);
        assertThat(host.stdout()).contains("backend        failed  the host backend");
        Files.writeString(user, "netwrok: off\n");
        Cli.Result mistaken = run("doctor", "--json", "--executor", "bwrap");
        assertThat(mistaken.exitCode()).isEqualTo(1);
        assertThat(mistaken.stdout()).contains("\"ok\" : false", "did you mean 'network'?");
    }
}
