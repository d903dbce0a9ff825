package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.paddock.executor.ExecutorProviders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        String tree = Files.createDirectory(worktree.resolve(backend)).toString();
        String[] words = {"exec", "--executor", backend, "--worktree", tree, "-n", "-c", "echo $$; exec sleep 600"};
        Process session = cli().start(words);
        assertThat(session.inputReader().readLine()).isNotBlank();
        return session;
    }

    @Test
    void directoriesOfKilledSessionsAreNamedAndStay() throws Exception {
        List<String> backends = Stream.of("bwrap", "landlock")
                .filter(backend -> ExecutorProviders.named(backend).probe().isUsable())
                .toList();
        assumeThat(backends).isNotEmpty();
        List<Process> sessions = new ArrayList<>();
        for (String backend : backends) {
            sessions.add(session(backend));
        }
        Cli.Result live = cli().run("gc", "--dry-run");
        assertThat(live.stdout()).as("of live sessions").doesNotContain(directory.toString());

        for (Process session : sessions) {
            session.destroyForcibly().onExit().join();
        }
        Cli.Result dryRun = cli().run("gc", "--dry-run");
        assertThat(dryRun.exitCode()).as("%s", dryRun).isZero();
        Map<String, Path> left = new LinkedHashMap<>();
        for (String backend : backends) {
            Matcher named = Pattern.compile("(?m)^" + backend + ": would remove the directory (.*)$")
                    .matcher(dryRun.stdout());
            assertThat(named.find()).as("%s", dryRun).isTrue();
            Path path = Path.of(named.group(1));
            assertThat(path).isDirectory().startsWith(directory.toRealPath());
            left.put(backend, path);
        }

        String removed = cli().run("gc").stdout();
        for (Map.Entry<String, Path> one : left.entrySet()) {
            assertThat(removed).contains(one.getKey() + ": removed the directory " + one.getValue() + "\n");
            assertThat(one.getValue()).doesNotExist();
        }
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
