package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runtimes see the limits that the user has set, and do not grow until the kernel ends them. */
@EnabledOnOs(OS.LINUX)
class VisibleLimitsTest {
    private static final long LIMIT = 400L << 20;

    @TempDir
    private Path root;

    private Paddock paddock = Paddock.in(Path.of(""), Path.of(""));

    @BeforeEach
    void create() throws Exception {
        OrdinaryUser.requireRoot("without a delegated control group, only root can limit memory");
        Path real = root.toRealPath();
        paddock =
                Paddock.in(Files.createDirectory(real.resolve("project")), Files.createDirectory(real.resolve("home")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void jvmSizesItsHeapByLimit(String sandbox) {
        String java = System.getProperty("java.home") + "/bin/java";
        Paddock.Result result = paddock.script(
                sandbox,
                java
                        + " -XX:+PrintFlagsFinal -XX:+UseSerialGC -version 2>&1 | sed -n 's/.* MaxHeapSize *= \\([0-9]*\\).*/\\1/p'",
                "--memory",
                "400m");
        assertThat(Long.parseLong(result.stdout().strip())).as(result.stderr()).isLessThan(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void nodeSeesLimitAndNobodyRaisesIt(String sandbox) {
        Programs.require("node");
        Paddock.Result result = paddock.script(
                sandbox,
                "/usr/bin/node -e 'console.log(process.constrainedMemory())';"
                        + " for file in $(find /sys/fs/cgroup -name memory.limit_in_bytes -o -name memory.max 2>/dev/null); do"
                        + " echo 4000000000 >$file; done; /usr/bin/node -e 'console.log(process.constrainedMemory())'",
                "--memory",
                "400m");
        assertThat(result.stdout()).as(result.stderr()).isEqualTo(LIMIT + "\n" + LIMIT + "\n");
    }

    /** Control: without a limit there is nothing of the host's groups to see. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void withoutLimitNothingIsShown(String sandbox) {
        assertThat(paddock.script(sandbox, "ls /sys/fs/cgroup 2>/dev/null || echo none")
                        .stdout())
                .isEqualTo("none\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void endForLackOfMemoryNamesLimitAndSetting(String sandbox) {
        Paddock.Result ended = paddock.script(sandbox, "exec tail -n 1 /dev/zero", "--memory", "64m");
        assertThat(ended.exitCode()).as(ended.stderr()).isEqualTo(137);
        assertThat(ended.stderr())
                .contains(
                        "exhausted its memory of 64 MiB; --memory SIZE, or limits.memory in paddock.yaml, grants more");
        assertThat(paddock.script(sandbox, "head -c 1000000 /dev/zero | tail -n 1 | wc -c", "--memory", "64m")
                        .stdout())
                .as("the control")
                .isEqualTo("1000000\n");
    }
}
