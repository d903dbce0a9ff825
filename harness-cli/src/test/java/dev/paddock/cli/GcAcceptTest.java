package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.ExecutorProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock gc --accept}, for a change after which no command is started. */
class GcAcceptTest {
    @TempDir
    private Path directory;

    private Path worktree = Path.of("");

    @BeforeEach
    void makeWorktree() throws Exception {
        worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
    }

    private Cli cli() {
        return Cli.in(worktree)
                .env("XDG_STATE_HOME", directory.resolve("state").toString())
                .forked(); // executors' state is the process's
    }

    private Cli.Result exec(String backend, String script) throws Exception {
        return cli().run("exec", "--executor", backend, "-n", "-c", script);
    }

    @Test
    void changeAfterKillHasToBeAcceptedBeforeCommandIsStarted() throws Exception {
        requireAcceptance("bwrap");
    }

    @Tag("full")
    @Test
    void changeAfterKillHasToBeAcceptedInOtherSandbox() throws Exception {
        requireAcceptance("landlock");
    }

    private void requireAcceptance(String backend) throws Exception {
        assumeThat(ExecutorProviders.named(backend).probe().isUsable()).isTrue();
        Process session = cli().start("exec", "--executor", backend, "-n", "-c", "echo up; exec sleep 600");
        assertThat(session.inputReader().readLine()).isEqualTo("up");
        Path changed = Files.writeString(worktree.resolve(".envrc"), "mine");

        Cli.Result running = cli().run("gc", "--accept", ".envrc");
        assertThat(running.exitCode()).isEqualTo(1);
        assertThat(running.stderr())
                .hasLineCount(1)
                .contains("a session in '" + worktree + "' is running a command", "end it first");

        session.destroyForcibly().onExit().join();
        long ended = System.currentTimeMillis();
        // The kernel dates a change by its tick, which may have begun before the session's last beat.
        Awaitility.await("a change that is dated after the session's end")
                .pollInterval(Duration.ofMillis(1))
                .until(() ->
                        Files.getLastModifiedTime(Files.writeString(changed, "mine, changed after the session's end"))
                                        .toMillis()
                                > ended);
        Cli.Result refused = exec(backend, "echo ran");
        assertThat(refused.stdout()).isEmpty();
        assertThat(refused.exitCode()).isEqualTo(125);
        assertThat(refused.stderr()).hasLineCount(1).contains("'" + changed + "'", "paddock gc --accept PATH");

        Cli.Result wrong = cli().run("gc", "--accept", ".envr");
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.stderr()).hasLineCount(1).contains(worktree.resolve(".envr") + "'", "there is no such file");

        Cli.Result accepted = cli().run("gc", "--accept", ".envrc");
        assertThat(accepted).isEqualTo(new Cli.Result(0, "accepted in the worktree " + worktree + "\n", ""));
        assertThat(exec(backend, "echo ran")).isEqualTo(new Cli.Result(0, "ran\n", ""));
        assertThat(changed).hasContent("mine, changed after the session's end");
    }

    @Test
    void pathThatNoKilledSessionHasLeftIsNotAccepted() throws Exception {
        Files.writeString(worktree.resolve(".envrc"), "mine");
        Cli.Result result = cli().run("gc", "--accept", ".envrc");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.stderr())
                .hasLineCount(1)
                .contains("no killed session has left a worktree that contains '" + worktree.resolve(".envrc"));
    }

    @Test
    void helpNamesOption() throws Exception {
        assertThat(Cli.in(worktree).run("gc", "--help").stdout())
                .contains("paddock gc --accept PATH", "killed", "--dry-run");
    }
}
