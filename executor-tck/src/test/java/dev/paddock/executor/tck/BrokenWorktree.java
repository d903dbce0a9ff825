package dev.paddock.executor.tck;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.nio.file.Path;
import java.util.Map;

/** Runs tests of the worktree's suite over one executor after the other. */
class BrokenWorktree extends WorktreeContract {
    private static ReferenceProvider.Protecting current = ReferenceProtection::new;

    static void use(ReferenceProvider.Protecting executor) {
        current = executor;
    }

    @Override
    protected CommandExecutor create(SandboxPolicy policy, Path quarantine) {
        return current.over(policy.worktree().hostPath(), Map.of());
    }
}
