package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the commands of a container end at once when a protected path can neither be moved nor
 * renamed. The path is a mount point of the host's.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PoisonedWorktreeTest {
    private static final SpawnOptions IN_WORK = SpawnOptions.in("/work");
    private static final String STUBBORN = "trap '' HUP TERM; echo up; while :; do sleep 0.1; done";
    private static final long BOUND_SECONDS = 5;

    @TempDir
    Path directory;

    @TempDir
    Path quarantine;

    @Test
    void everyLiveCommandEndsAndNoOtherStarts() throws Exception {
        OrdinaryUser.requireRoot("a mount takes root");
        TestEngine.withImage(TestEngine.BUSYBOX);
        Path mount = directory.resolve(".vscode");
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .quarantine(quarantine)
                .build()) {
            List<ProcessLike> live = Stream.of(
                            started(executor, STUBBORN), started(executor, "setsid sh -c \"" + STUBBORN + "\""))
                    .toList();
            ProcessLike planting = started(executor, "mkdir .vscode; " + STUBBORN);
            run("mount", "-t", "tmpfs", "none", mount.toString());
            try {
                planting.kill(Signal.KILL);
                assertThat(closed(planting).notices()).anyMatch(notice -> notice.contains("are ended"));
                for (ProcessLike process : live) {
                    assertThat(process.onExit().toCompletableFuture().get(BOUND_SECONDS, TimeUnit.SECONDS))
                            .isInstanceOf(ExitStatus.Signaled.class);
                    assertThat(closed(process).notices()).anyMatch(notice -> notice.contains(".vscode"));
                }
                assertThatThrownBy(() -> executor.spawn("true", IN_WORK))
                        .isInstanceOf(SpawnException.class)
                        .hasMessageContaining(".vscode");
            } finally {
                run("umount", mount.toString());
            }
            assertThat(Runs.of(executor, "/work", "echo usable").out()).isEqualTo("usable\n");
        }
    }

    private static ProcessLike started(DockerExecutor executor, String command) throws IOException {
        ProcessLike process = executor.spawn(command, IN_WORK);
        assertThat(process.stdout().readNBytes(3)).isEqualTo("up\n".getBytes(StandardCharsets.US_ASCII));
        return process;
    }

    private static CleanupReport closed(ProcessLike process) throws Exception {
        return process.onClosed().toCompletableFuture().get(BOUND_SECONDS, TimeUnit.SECONDS);
    }

    private static void run(String... argv) throws Exception {
        assertThat(new ProcessBuilder(argv).start().waitFor())
                .as(String.join(" ", argv))
                .isZero();
    }
}
