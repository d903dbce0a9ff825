package dev.paddock.executor.docker;

import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.protect.ProtectionPlan;
import dev.paddock.executor.protect.WorktreeGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The guard over a container's worktree, and where it keeps its things. */
final class WorktreeProtection implements AutoCloseable {
    private final WorktreeGuard guard;
    private final Path state;
    private ProtectionPlan mounted = new ProtectionPlan(List.of(), List.of(), List.of());

    private WorktreeProtection(WorktreeGuard guard, Path state) {
        this.guard = guard;
        this.state = state;
    }

    static WorktreeProtection over(SandboxPolicy policy) {
        try {
            Path state = Files.createTempDirectory("paddock-docker-");
            Path root = policy.worktree().hostPath().toRealPath();
            Path quarantine = Path.of(System.getProperty("java.io.tmpdir"), "paddock-quarantine");
            return new WorktreeProtection(WorktreeGuard.open(root, policy.protectedPaths(), state, quarantine), state);
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the worktree '" + policy.worktree().hostPath() + "' cannot be guarded", fault);
        }
    }

    /** What a container that is made now is to mount. */
    synchronized ProtectionPlan plan() {
        mounted = guard.plan();
        return mounted;
    }

    synchronized Supplier<List<String>> watch() {
        Set<Path> readOnly = new HashSet<>(mounted.readOnly());
        return guard.begin(readOnly)::settle;
    }

    @Override
    public void close() {
        guard.close();
        try {
            Files.deleteIfExists(state);
        } catch (IOException fault) {
            throw new UncheckedIOException("the directory '" + state + "' could not be removed", fault);
        }
    }
}
