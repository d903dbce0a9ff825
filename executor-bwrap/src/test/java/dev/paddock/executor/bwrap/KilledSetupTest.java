package dev.paddock.executor.bwrap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.SweepMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests C12 where a JVM is killed while bubblewrap sets a sandbox up: bubblewrap's process in the
 * sandbox is not bound to the one outside yet, and waits for it.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledSetupTest {
    @TempDir
    Path directory;

    @Test
    void C12_eachProcessOfBubblewrapHasMarkerOfItsJvm() throws Exception {
        Path worktree = Files.createDirectory(directory.toRealPath().resolve("tree"));
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(worktree)).build();
        try (BwrapExecutor executor =
                BwrapExecutor.builder().policy(policy).warmSlots(0).build()) {
            ProcessLike process = executor.spawn(
                    "echo up; read -r line",
                    SpawnOptions.builder(worktree.toString())
                            .stdin(SpawnOptions.Stdin.PIPE)
                            .build());
            assertThat(process.stdout().readNBytes(3)).asString(UTF_8).isEqualTo("up\n");
            assertThat(bubblewraps())
                    .as("one outside, one in the sandbox, and that of the network's holder")
                    .hasSizeGreaterThanOrEqualTo(3)
                    .allSatisfy(pid -> assertThat(markerOf(pid))
                            .hasValueSatisfying(marker -> assertThat(marker).startsWith(OwnerId.current() + ":")));
            process.stdin().close();
            process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
        }
    }

    private static List<Long> bubblewraps() {
        try (Stream<ProcessHandle> all = ProcessHandle.current().descendants()) {
            return all.filter(process -> process.info().command().stream().anyMatch(name -> name.endsWith("/bwrap")))
                    .map(ProcessHandle::pid)
                    .toList();
        }
    }

    private static Optional<String> markerOf(long pid) {
        return ProcessTable.ofThisMachine().row(pid).flatMap(row -> row.marker().get());
    }

    @Test
    void C12_sweepEndsProcessThatWaitsForDeadOne() throws Exception {
        OwnerId here = OwnerId.current();
        OwnerId dead = new OwnerId(here.machine(), here.boot(), here.namespace(), here.pid(), here.started() + 1);
        Process outside = startHalfway(dead + ":1:1");
        long inside = -1;
        try {
            inside = BwrapTree.firstProcess(BwrapTree.information(outside.getInputStream()));
            outside.destroyForcibly().waitFor();
            assertThat(isRunning(inside))
                    .as("the control: bubblewrap binds it later")
                    .isTrue();
            new BwrapProvider().sweep(SweepMode.REMOVE); // or, if it is faster, that of another test's JVM
            long pid = inside;
            Awaitility.await("process " + inside + " has ended")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !isRunning(pid));
        } finally {
            outside.destroyForcibly().waitFor();
            if (inside > 0) {
                ProcessHandle.of(inside).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    /** Starts bubblewrap, which reports its process in the sandbox, and never lets that one go on. */
    private Process startHalfway(String marker) throws Exception {
        Path never = directory.resolve("never");
        assertThat(new ProcessBuilder("mkfifo", never.toString()).start().waitFor())
                .isZero();
        String line = "exec 4<>" + never + "; exec bwrap --unshare-user --unshare-pid --die-with-parent --info-fd 1"
                + " --userns-block-fd 4 --ro-bind / / -- /bin/true";
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", line);
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(List.of("PATH"));
        environment.put(CommandExecutor.MARKER, marker);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static boolean isRunning(long pid) {
        return ProcessTable.ofThisMachine()
                .row(pid)
                .filter(ProcessTable.Row::running)
                .isPresent();
    }
}
