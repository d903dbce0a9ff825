package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The choice of a sandbox on a machine with forty busy processes, whose first probe does not answer in time. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class BusyMachineTest {
    private static final int LOAD = 40;
    private static final String PREFERENCE = "bwrap,landlock";

    @TempDir
    private Path root;

    private final List<Process> busy = new ArrayList<>();
    private Path directory = Path.of("directory");
    private SandboxPolicy policy =
            SandboxPolicy.builder(PathMapping.same(Path.of("/"))).build();

    @BeforeEach
    void load() throws Exception {
        Programs.require("bwrap");
        directory = root.toRealPath();
        policy = SandboxPolicy.builder(PathMapping.same(Files.createDirectory(directory.resolve("project"))))
                .build();
        for (int loop = 0; loop < LOAD; loop++) {
            // Of the lowest priority: other tests run meanwhile.
            busy.add(new ProcessBuilder("nice", "-n", "19", "sh", "-c", "echo; while :; do :; done").start());
        }
        for (Process loop : busy) {
            assertThat(loop.getInputStream().read()).as("it runs").isEqualTo('\n');
        }
    }

    @AfterEach
    void end() throws Exception {
        for (Process loop : busy) {
            loop.destroyForcibly();
        }
        for (Process loop : busy) {
            loop.waitFor();
        }
    }

    /** A program in place of bubblewrap that blocks until it is killed, as often as a condition of a shell holds. */
    private Map<String, String> bubblewrapThatBlocksIf(String condition) throws Exception {
        Path program = directory.resolve("bwrap");
        Files.writeString(program, """
                #!/bin/sh
                case "$*" in
                *--version*) ;;
                *) ! %2$s || { echo >>'%1$s/blocked'; exec tail -f /dev/null; } ;;
                esac
                exec bwrap "$@"
                """.formatted(directory, condition));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return Map.of("program", program.toString());
    }

    @Test
    void strongestSandboxIsTakenAtSecondAttempt() throws Exception {
        Map<String, String> slow = bubblewrapThatBlocksIf("mkdir '" + directory + "/first' 2>/dev/null");
        try (CommandExecutor executor =
                ExecutorProviders.open(PREFERENCE, ExecutorOptions.of(policy).settings(slow))) {
            assertThat(directory.resolve("blocked"))
                    .as("control: a probe was slow")
                    .exists();
            assertThat(executor.name()).isEqualTo("bwrap");
            assertThat(executor.fallback()).as("nothing was given up").isEmpty();
            ExitStatus ran = executor.spawn(
                            "true", SpawnOptions.in(policy.worktree().commandPath()))
                    .onExit()
                    .toCompletableFuture()
                    .join();
            assertThat(ran.isSuccess()).isTrue();
        }
    }

    /** Positive control: on the same machine a definite refusal has the next sandbox taken. */
    @Test
    void sandboxThatIsNotInstalledIsPassedOver() {
        Map<String, String> absent =
                Map.of("program", directory.resolve("absent").toString());
        try (CommandExecutor executor =
                ExecutorProviders.open(PREFERENCE, ExecutorOptions.of(policy).settings(absent))) {
            assertThat(executor.name()).isEqualTo("landlock");
        }
    }
}
