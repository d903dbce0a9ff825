package dev.paddock.executor.landlock;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.layer.Layer;
import dev.paddock.executor.tck.layer.ProvenBy;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@ProvenBy(Layer.FURTHER_WORKTREE)
class LandlockWorktreeTest extends WorktreeContract {

    @Override
    protected CommandExecutor create(SandboxPolicy policy, Path quarantine) {
        return LandlockExecutor.builder().policy(policy).quarantine(quarantine).build();
    }
}
