package dev.paddock.executor.landlock;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import java.util.EnumSet;
import java.util.Set;

/** What Landlock can keep of a policy, and what it guarantees. */
final class LandlockPolicyCheck {

    private LandlockPolicyCheck() {}

    /**
     * Returns the check of a policy. Landlock grants paths where they are, and what it grants of a tree it grants of all that
     * is in it.
     *
     * @param limits what there is to keep limits with
     */
    static PolicyCheck check(SandboxPolicy policy, LimitPlan.Means limits) {
        String unmapped = "Landlock grants paths where they are";
        Capabilities capabilities = Capabilities.of(LandlockExecutor.NAME)
                .without(Feature.WORKTREE_MAPPING, unmapped, "leave it at its own path, or use bwrap or docker")
                .without(Feature.MOUNT_MAPPING, unmapped, "mount it at its own path, or use bwrap or docker")
                .without(
                        Feature.READ_ONLY_INSIDE_WRITABLE,
                        "what Landlock makes writable is writable with all that is in it",
                        "use bwrap or docker")
                .without(
                        Feature.PROTECTED_PATHS,
                        "what Landlock makes writable is writable with all that is in it",
                        "protect them as far as possible, or use bwrap or docker")
                .withoutChosenHosts();
        return PolicyCheck.of(policy, limits.restrict(capabilities));
    }

    /**
     * What a sandbox guarantees, whatever the version of Landlock: what a version lacks, the filter of system calls makes
     * up for.
     *
     * @param policy the policy
     * @param limits those guarantees about limits that can be kept here
     */
    static Set<Guarantee> guarantees(SandboxPolicy policy, Set<Guarantee> limits) {
        Set<Guarantee> kept = EnumSet.of(
                Guarantee.WRITE_CONFINED,
                Guarantee.READ_CONFINED,
                Guarantee.UNIX_SOCKETS_OFF,
                Guarantee.ENV_CONFINED,
                Guarantee.EXACT_STATUS,
                Guarantee.PRIVATE_HOME,
                Guarantee.NO_NEW_PRIVILEGES,
                Guarantee.SYSCALL_FILTER);
        kept.addAll(limits);
        if (policy.network() instanceof NetworkPolicy.Off) {
            kept.add(Guarantee.NETWORK_OFF);
        }
        return Set.copyOf(kept);
    }
}
