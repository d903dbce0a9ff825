package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a builder decides before a cluster is contacted. */
class KubernetesExecutorBuilderTest {
    @TempDir
    Path directory;

    private static KubernetesExecutorBuilder image() {
        return KubernetesExecutor.builder().image("a");
    }

    private SandboxPolicy policy() {
        return SandboxPolicy.builder(new PathMapping(directory, "/project"))
                .network(NetworkPolicy.open())
                .build();
    }

    @Test
    void worktreeIsThatOfPolicyOrAtDefaultPath() {
        try (KubernetesExecutor executor = image().worktree(directory).build()) {
            assertThat(executor.worktree()).contains(new PathMapping(directory, "/work"));
            assertThat(executor.copiesFiles()).isTrue();
        }
        try (KubernetesExecutor executor = image().policy(policy()).build()) {
            assertThat(executor.worktree()).contains(new PathMapping(directory, "/project"));
            assertThat(executor.copiesFiles()).isTrue();
        }
        try (KubernetesExecutor executor =
                image().policy(policy()).withoutWorktree().build()) {
            assertThat(executor.copiesFiles()).isFalse();
        }
    }

    @Test
    void quarantineWithinWorktreeIsRefused() {
        assertThatThrownBy(() -> image().policy(policy())
                        .quarantine(directory.resolve("kept"))
                        .build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("set the quarantine elsewhere");
    }

    @Test
    void limitThatPodCannotHaveIsRefused() {
        SandboxPolicy limited = policy().toBuilder()
                .limits(ResourceLimits.none().withProcesses(40))
                .build();
        assertThatThrownBy(() -> image().policy(limited).build())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("podPidsLimit");
    }

    @Test
    void contradictoryOptionsAreRefused() {
        for (UnaryOperator<KubernetesExecutorBuilder> wrong : List.<UnaryOperator<KubernetesExecutorBuilder>>of(
                options -> KubernetesExecutor.builder(),
                options -> options.pod("p"),
                options -> options.policy(policy()).worktree(directory),
                options -> options.remoteDirectory("/project"))) {
            KubernetesExecutorBuilder options = wrong.apply(image());
            assertThatThrownBy(options::build).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void podsThatRunAlreadyTakeNothingThatTheyWouldIgnore() {
        for (UnaryOperator<KubernetesExecutorBuilder> ignored : List.<UnaryOperator<KubernetesExecutorBuilder>>of(
                options -> options.policy(policy()),
                options -> options.worktree(directory),
                options -> options.quarantine(directory))) {
            KubernetesExecutorBuilder options =
                    ignored.apply(KubernetesExecutor.builder().pod("p"));
            assertThatThrownBy(options::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the pod 'p' runs already, with what it grants");
        }
    }

    @Test
    void valuesOutOfRangeAreRefusedAtOnce() {
        assertThatThrownBy(() -> image().warmSlots(17)).hasMessageContaining("0, for none, to 16");
        assertThatThrownBy(() -> image().remoteDirectory("project")).hasMessageContaining("absolute, not 'project'");
        assertThatThrownBy(() -> image().maxFetch(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> image().fetchTimeout(Duration.ZERO)).hasMessageContaining("more than zero");
    }
}
