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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The choice of a sandbox whose first probe does not answer in time, as on a busy machine. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class SlowProbeTest {
    private static final String PREFERENCE = "bwrap,landlock";

    @TempDir
    private Path root;

    private Path directory = Path.of("directory");
    private SandboxPolicy policy =
            SandboxPolicy.builder(PathMapping.same(Path.of("/"))).build();

    @BeforeEach
    void create() throws Exception {
        Programs.require("bwrap");
        directory = root.toRealPath();
        policy = SandboxPolicy.builder(PathMapping.same(Files.createDirectory(directory.resolve("project"))))
                .build();
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
}
