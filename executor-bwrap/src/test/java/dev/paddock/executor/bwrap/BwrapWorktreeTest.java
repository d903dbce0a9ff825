package dev.paddock.executor.bwrap;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.nio.file.Path;

@ProvenBy(Layer.WORKTREE)
class BwrapWorktreeTest extends WorktreeContract {

    @Override
    protected CommandExecutor create(SandboxPolicy policy, Path quarantine) {
        return BwrapExecutor.builder().policy(policy).quarantine(quarantine).build();
    }
}
