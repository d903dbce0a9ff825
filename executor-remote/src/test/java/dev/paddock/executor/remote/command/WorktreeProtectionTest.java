package dev.paddock.executor.remote.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorktreeProtectionTest {
    @TempDir
    private Path temporary;

    @Test
    void anotherSessionsWorktreeBehindWritableMountIsExamined() throws Exception {
        Path directory = temporary.toRealPath();
        Path quarantine = directory.resolve("quarantine");
        Path other = Files.createDirectory(directory.resolve("other"));
        Path worktree = Files.createDirectory(directory.resolve("worktree"));
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/worktree"))
                .mount(new Mount(other, "/other", Mount.Access.READ_WRITE))
                .build();
        try (WorktreeGuard there = WorktreeGuard.open(other, ProtectedPaths.standard(), directory, quarantine);
                WorktreeProtection here = WorktreeProtection.over("docker", policy, quarantine, container -> false)) {
            WorktreeGuard.Command command = here.announce();
            command.begin();
            Files.writeString(other.resolve(".envrc"), "evil");
            assertThat(command.settle()).hasSize(1);
            assertThat(other.resolve(".envrc")).doesNotExist();
            assertThat(there.begin(ProtectionPlan.NONE).settle()).isEmpty();
        }
    }
}
