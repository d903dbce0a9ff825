package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Root works in the worktree of another user, as in a CI container with a mounted checkout. */
@EnabledOnOs(OS.LINUX)
class RootInForeignWorktreeTest {
    private static final int OWNER = 54_322;

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        OrdinaryUser.requireRoot("only root can give a file to another user");
        Programs.require("git");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        paddock.host("git init -q . && echo one >file && chown -R " + OWNER + ":" + OWNER + " .");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void gitReadsRepositoryAndReasonWhyNothingCanBeWrittenIsGiven(String sandbox) {
        Paddock.Result result = paddock.script(sandbox, "git status --short; echo two >file");
        assertThat(result.stdout()).isEqualTo("?? file\n");
        assertThat(result.stderr())
                .contains("belongs to user " + OWNER, "setpriv --reuid=" + OWNER)
                .doesNotContain("dubious");
    }

    @Test
    void doctorWritesFileAndSaysWhyItCannot() {
        for (String[] command : new String[][] {{"doctor"}, {"config", "check"}}) {
            assertThat(paddock.run(command).stdout().replaceAll("\\s+", " "))
                    .contains("worktree failed a command could not write a file to " + project)
                    .contains("it belongs to user " + OWNER, "setpriv --reuid=" + OWNER);
        }
    }

    /** Control: where everyone may write, nothing is said. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void nothingIsSaidWhereCommandsCanWrite(String sandbox) throws Exception {
        paddock.host("chmod -R a+rwX .");
        Paddock.Result result = paddock.script(sandbox, "git add file && git status --short && echo two >file");
        assertThat(result.stderr()).isEmpty();
        assertThat(result.stdout()).isEqualTo("A  file\n");
        assertThat(paddock.run("doctor").stdout())
                .contains("Commands here run in ")
                .doesNotContain("failed");
        assertThat(paddock.run("config", "check").stdout()).contains("commands write files to it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commandsOwnSettingsOfGitCount(String sandbox) {
        Paddock.Result result = paddock.run(
                "exec", "--executor", sandbox, "--env", "GIT_CONFIG_COUNT=0", "--", "git", "status", "--short");
        assertThat(result.stderr()).contains("dubious ownership");
    }
}
