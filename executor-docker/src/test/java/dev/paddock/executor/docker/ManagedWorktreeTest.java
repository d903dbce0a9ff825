package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.worktree.WorktreeContract;
import java.nio.file.Path;

class ManagedWorktreeTest extends WorktreeContract {

    @Override
    protected CommandExecutor create(SandboxPolicy policy, Path quarantine) {
        TestEngine.withImage(TestEngine.DEBIAN);
        return DockerExecutor.builder()
                .image(TestEngine.DEBIAN)
                .pullPolicy(PullPolicy.NEVER)
                .policy(policy)
                .quarantine(quarantine)
                .build();
    }

    @Override
    protected boolean hasTheHostsPrograms() {
        return false;
    }
}
