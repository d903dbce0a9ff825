package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.ExecutorProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code paddock gc --dry-run}, with leftovers of JVMs that were killed. */
@Tag("full")
@ClearsMachine
class GcDryRunTest {
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

    private Process session(String backend) throws Exception {
        Process session = cli().start("exec", "--executor", backend, "-n", "-c", "echo $$; exec sleep 600");
        assertThat(session.inputReader().readLine()).isNotBlank();
        return session;
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void directoryOfKilledSessionIsNamedAndStays(String backend) throws Exception {
        assumeThat(ExecutorProviders.named(backend).probe().isUsable()).isTrue();
        Process session = session(backend);
        Cli.Result live = cli().run("gc", "--dry-run");
        assertThat(live.stdout()).as("of a live session").doesNotContain(directory.toString());

        session.destroyForcibly().onExit().join();
        Cli.Result dryRun = cli().run("gc", "--dry-run");
        assertThat(dryRun.exitCode()).as("%s", dryRun).isZero();
        Matcher named = Pattern.compile("(?m)^" + backend + ": would remove the directory (.*)$")
                .matcher(dryRun.stdout());
        assertThat(named.find()).as("%s", dryRun).isTrue();
        Path left = Path.of(named.group(1));
        assertThat(left).isDirectory().startsWith(directory.toRealPath());

        assertThat(cli().run("gc").stdout()).contains(backend + ": removed the directory " + left + "\n");
        assertThat(left).doesNotExist();
        assertThat(cli().run("gc", "--dry-run").stdout()).doesNotContain(directory.toString());
    }

    /** Its reaper, which would have ended the command, is killed before the session. */
    @Test
    void processOfKilledSessionIsNamedOnceAndGoesOn() throws Exception {
        Process session = cli().start("exec", "--executor", "host", "-n", "-c", "echo $$; exec sleep 600");
        long pid = Long.parseLong(session.inputReader().readLine());
        Cli.send("STOP", session);
        List<ProcessHandle> others =
                session.descendants().filter(child -> child.pid() != pid).toList();
        assertThat(others).as("the reaper").isNotEmpty();
        others.forEach(ProcessHandle::destroyForcibly);
        session.destroyForcibly().onExit().join();

        ProcessHandle left = ProcessHandle.of(pid).orElseThrow();
        try {
            Cli.Result dryRun = cli().run("gc", "--dry-run");
            assertThat(dryRun.stdout().lines().filter(line -> line.contains("would end process " + pid + " ")))
                    .as("%s", dryRun)
                    .singleElement()
                    .asString()
                    .endsWith("of the dead process " + session.pid());
            assertThat(left.isAlive()).isTrue();
            assertThat(cli().run("gc").stdout()).contains("ended process " + pid + " ");
        } finally {
            left.destroyForcibly();
        }
        left.onExit().join();
    }
}
