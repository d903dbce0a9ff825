package dev.paddock.executor.sandbox.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan.Mechanisms;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LimitPlanTest {
    private static final Mechanisms ALL = new Mechanisms(Set.of(Controller.values()), false);
    private static final Mechanisms NONE = new Mechanisms(Set.of(), false);
    private static final Mechanisms ORDINARY_USER = new Mechanisms(Set.of(), true);

    private static final ResourceLimits EVERYTHING = ResourceLimits.none()
            .withMemory(64 << 20)
            .withCpus(1.5)
            .withProcesses(7)
            .withFileSize(4096);

    @Test
    void groupsEnforceLimitsThatTheyCan() {
        assertThat(LimitPlan.of(EVERYTHING, ALL))
                .isEqualTo(new LimitPlan(
                        OptionalLong.of(64 << 20),
                        OptionalDouble.of(1.5),
                        OptionalInt.of(7),
                        OptionalInt.empty(),
                        OptionalLong.of(4096)));
    }

    @Test
    void rlimitKeepsProcessesAndFileSizesWhereThereIsNoGroup() {
        ResourceLimits limits = ResourceLimits.none().withProcesses(7).withFileSize(1);
        LimitPlan plan = LimitPlan.of(limits, ORDINARY_USER);
        assertThat(plan.rlimitProcesses()).hasValue(7);
        assertThat(plan.rlimitFileSize()).hasValue(1);
        assertThat(plan.needsGroup()).isFalse();
        assertThat(plan.needsRlimit()).isTrue();
    }

    @Test
    void processesAreLimitedUnaskedWhereTheyCanBe() {
        assertThat(LimitPlan.of(ResourceLimits.none(), ALL).groupProcesses()).hasValue(512);
        assertThat(LimitPlan.of(ResourceLimits.none(), ORDINARY_USER).rlimitProcesses())
                .hasValue(512);
        LimitPlan without = LimitPlan.of(ResourceLimits.none(), NONE);
        assertThat(without.needsGroup() || without.needsRlimit()).isFalse();
    }

    @Test
    void limitThatCannotBeKeptIsRefusedByName() {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(PathMapping.same(Path.of("/srv")));
        Capabilities capabilities = NONE.restrict(Capabilities.of("bwrap"));
        PolicyCheck check = PolicyCheck.of(policy.limits(EVERYTHING).build(), capabilities);
        assertThatThrownBy(check::require)
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContainingAll("memory limit of 67108864 bytes", "limit of 1.5 CPUs", "7 processes");
        ResourceLimits wished = EVERYTHING.withDemand(Enforcement.BEST_EFFORT);
        assertThat(PolicyCheck.of(policy.limits(wished).build(), capabilities).violations())
                .isEmpty();
    }

    @Test
    void limitThatCannotBeKeptIsLeftOutIfAskedForAsFarAsPossible() {
        LimitPlan plan = LimitPlan.of(EVERYTHING.withDemand(Enforcement.BEST_EFFORT), NONE);
        assertThat(plan)
                .isEqualTo(new LimitPlan(
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalLong.of(4096)));
    }

    @Test
    void guaranteesFollowMechanisms() {
        assertThat(ALL.guarantees())
                .containsExactlyInAnyOrder(Guarantee.MEMORY_LIMIT, Guarantee.CPU_LIMIT, Guarantee.PROCESS_LIMIT);
        assertThat(ORDINARY_USER.guarantees()).containsExactly(Guarantee.PROCESS_LIMIT);
        assertThat(NONE.guarantees()).isEmpty();
    }
}
