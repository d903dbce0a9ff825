package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test a spawner over a {@link FakeBackend}, and the guard of a worktree. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class SpawnerBench {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    WorktreeGuard guard;

    @SuppressWarnings("NullAway.Init") // set before each test
    FakeBackend backend;

    @SuppressWarnings("NullAway.Init") // set before each test
    SandboxedSpawner<String> spawner;

    Path worktree = Path.of("/");

    @BeforeEach
    final void make() throws Exception {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        Path state = Files.createDirectory(directory.resolve("state"));
        guard = WorktreeGuard.open(worktree, ProtectedPaths.standard(), state, directory.resolve("quarantine"));
        backend = new FakeBackend(Supervisor.create("spawner-test", false), guard);
        backend.constantPlan = "plan";
        within(SandboxedSpawner.Bounds.STANDARD);
    }

    /** Gives the test a spawner with time limits of its own. */
    final void within(SandboxedSpawner.Bounds bounds) {
        WarmPool.Settings slots = new WarmPool.Settings("spawner-test", 0);
        spawner = new SandboxedSpawner<>("test", Shells.ofThisMachine("/bin/sh"), slots, bounds, backend);
    }

    final ProcessLike spawn(String command) {
        return spawner.spawn(command, SpawnOptions.builder(worktree.toString()).build(), Map.of());
    }

    static CleanupReport closed(ProcessLike process) throws Exception {
        return process.onClosed().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
