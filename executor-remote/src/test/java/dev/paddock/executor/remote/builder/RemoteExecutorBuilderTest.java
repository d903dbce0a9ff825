package dev.paddock.executor.remote.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.Quarantine;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemoteExecutorBuilderTest {
    private static final Path WORKTREE = Path.of("/project");
    private static final SandboxPolicy POLICY =
            SandboxPolicy.builder(new PathMapping(WORKTREE, "/work")).build();

    private static final class Builder extends ContainerExecutorBuilder<Builder> {
        @Override
        protected Builder self() {
            return this;
        }
    }

    @Test
    void defaultsFillWhatIsNotSet() {
        assertThat(new Builder().options())
                .isEqualTo(new RemoteOptions(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        Quarantine.standard(),
                        false,
                        2));
        assertThat(new Builder().isEager()).isFalse();
    }

    @Test
    void optionsAreThoseThatWereSet() {
        Builder builder = new Builder()
                .image("busybox")
                .policy(POLICY)
                .worktree(WORKTREE)
                .env("ONE", "1")
                .env(Map.of("TWO", "2"))
                .quarantine(Path.of("/quarantine"))
                .warmSlots(16)
                .eager();
        assertThat(builder.options())
                .isEqualTo(new RemoteOptions(
                        Optional.of("busybox"),
                        Optional.of(POLICY),
                        Optional.of(WORKTREE),
                        Map.of("ONE", "1", "TWO", "2"),
                        Path.of("/quarantine"),
                        true,
                        16));
        assertThat(builder.isEager()).isTrue();
    }

    @Test
    void laterOptionsLeaveEarlierOnesAsTheyWere() {
        Builder builder = new Builder().env("ONE", "1");
        RemoteOptions before = builder.options();
        builder.env("TWO", "2").warmSlots(0);
        assertThat(before.environment()).isEqualTo(Map.of("ONE", "1"));
        assertThat(before.warmSlots()).isEqualTo(2);
    }

    @Test
    void quarantineIsAbsolute() {
        assertThat(new Builder().quarantine(Path.of("kept")).options().quarantine())
                .isEqualTo(Path.of("kept").toAbsolutePath());
    }

    @Test
    void variablesAreAddedToPolicy() {
        SandboxPolicy granted =
                new Builder().policy(POLICY).env("ONE", "1").options().granted(() -> POLICY);
        assertThat(granted)
                .isEqualTo(POLICY.toBuilder()
                        .environment(POLICY.environment().with("ONE", "1"))
                        .build());
        assertThat(new Builder().options().granted(() -> POLICY)).isEqualTo(POLICY);
    }

    @Test
    void policyNamesWorktreeAlone() {
        RemoteOptions both = new Builder().policy(POLICY).worktree(WORKTREE).options();
        assertThatThrownBy(() -> both.granted(() -> POLICY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the policy names the worktree already; leave the worktree out");
        assertThat(new Builder().policy(POLICY).options().hasWorktree()).isTrue();
        assertThat(new Builder().worktree(WORKTREE).options().hasWorktree()).isTrue();
        assertThat(new Builder().options().hasWorktree()).isFalse();
    }

    @Test
    void valuesOutOfRangeAreRefusedAtOnce() {
        for (int number : new int[] {-1, 17}) {
            assertThatThrownBy(() -> new Builder().warmSlots(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the number of warm slots is " + number + ": set 0, for none, to 16");
        }
        for (String image : List.of("", " ", "-v", "--privileged", "a ")) {
            assertThatThrownBy(() -> new Builder().image(image))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("not an image name: '" + image + "'");
        }
    }
}
