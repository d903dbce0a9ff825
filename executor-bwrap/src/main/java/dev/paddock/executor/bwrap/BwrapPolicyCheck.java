package dev.paddock.executor.bwrap;

import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import java.util.Optional;

/** Compares a policy with what bubblewrap can enforce here. */
final class BwrapPolicyCheck {
    private BwrapPolicyCheck() {}

    /**
     * Returns the check of a policy.
     *
     * @param system the parts of the system that a sandbox shows
     * @param limits this machine's mechanisms for limits
     */
    static PolicyCheck of(SandboxPolicy policy, SystemView system, LimitPlan.Mechanisms limits) {
        Capabilities capabilities = Capabilities.of(BwrapProvider.NAME);
        if (policy.network() instanceof NetworkPolicy.Allow) {
            Optional<String> obstacle = AllowedNetwork.obstacle();
            if (obstacle.isPresent()) {
                capabilities = capabilities.without(Feature.NETWORK_ALLOW, obstacle.get(), "set it to 'off' or 'open'");
            }
        }
        return PolicyCheck.of(policy, limits.restrict(capabilities))
                .and(BwrapPlan.violations(policy, system, BwrapPlan.HostFiles.NOW));
    }
}
