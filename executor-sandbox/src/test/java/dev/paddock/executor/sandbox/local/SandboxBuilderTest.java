package dev.paddock.executor.sandbox.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.Quarantine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SandboxBuilderTest {
    private static final Path WORKTREE = Path.of("/project");

    private static final class Builder extends SandboxBuilder<Builder> {
        @Override
        protected Builder self() {
            return this;
        }
    }

    @Test
    void defaultsFillWhatIsNotSet() {
        SandboxOptions options = new Builder().worktree(WORKTREE).options();
        assertThat(options)
                .isEqualTo(new SandboxOptions(
                        SandboxPolicy.builder(PathMapping.same(WORKTREE)).build(),
                        Quarantine.standard(),
                        "/bin/sh",
                        2));
    }

    @Test
    void optionsAreThoseThatWereSet() {
        SandboxOptions options = new Builder()
                .worktree(WORKTREE)
                .execCwd("/work")
                .quarantine(Path.of("/quarantine"))
                .shell("/bin/bash")
                .warmSlots(16)
                .options();
        assertThat(options)
                .isEqualTo(new SandboxOptions(
                        SandboxPolicy.builder(new PathMapping(WORKTREE, "/work"))
                                .build(),
                        Path.of("/quarantine"),
                        "/bin/bash",
                        16));
    }

    @Test
    void eitherPolicyOrWorktreeIsSet() {
        SandboxPolicy policy = SandboxPolicy.builder(PathMapping.same(WORKTREE)).build();
        assertThat(new Builder().policy(policy).options().policy()).isEqualTo(policy);
        assertThatThrownBy(() -> new Builder().options())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set the worktree, or a policy");
        Builder both = new Builder().policy(policy).worktree(WORKTREE);
        assertThatThrownBy(both::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set either the policy, or worktree and execCwd");
        Builder path = new Builder().policy(policy).execCwd("/work");
        assertThatThrownBy(path::options)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set either the policy, or worktree and execCwd");
    }

    @Test
    void warmSlotsHaveBounds() {
        for (int number : new int[] {-1, 17}) {
            assertThatThrownBy(() -> new Builder().warmSlots(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the number of warm slots is " + number + ": set 0, for none, to 16");
        }
    }
}
