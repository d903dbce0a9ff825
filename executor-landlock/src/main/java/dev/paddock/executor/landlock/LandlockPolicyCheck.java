package dev.paddock.executor.landlock;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.HostRule;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import java.util.EnumSet;
import java.util.Set;

/** Decides which parts of a policy Landlock can enforce, and which guarantees follow. */
final class LandlockPolicyCheck {

    private LandlockPolicyCheck() {}

    /**
     * Returns the check of a policy. Landlock grants paths unmapped, and a right granted on a tree applies to all files
     * in it.
     *
     * @param limits this machine's mechanisms for limits
     */
    static PolicyCheck check(SandboxPolicy policy, LimitPlan.Mechanisms limits) {
        String unmapped = "Landlock cannot map paths";
        Capabilities capabilities = Capabilities.of(LandlockExecutor.NAME)
                .without(Feature.WORKTREE_MAPPING, unmapped, "leave it at its own path, or use bwrap or docker")
                .without(Feature.MOUNT_MAPPING, unmapped, "mount it at its own path, or use bwrap or docker")
                .without(
                        Feature.READ_ONLY_INSIDE_WRITABLE,
                        "a directory that Landlock makes writable is writable with all its entries",
                        "use bwrap or docker")
                .without(
                        Feature.PROTECTED_PATHS,
                        "a directory that Landlock makes writable is writable with all its entries",
                        "protect them as far as possible, or use bwrap or docker")
                .withoutHiddenPaths()
                .withoutChosenHosts();
        return PolicyCheck.of(policy, limits.restrict(withoutLoopback(policy, capabilities)));
    }

    /** Explains why a port of this machine is refused where no host's name has to be kept apart. */
    private static Capabilities withoutLoopback(SandboxPolicy policy, Capabilities capabilities) {
        boolean isLoopback = policy.network() instanceof NetworkPolicy.Allow allow
                && allow.rules().stream().allMatch(HostRule::isLoopback);
        return isLoopback
                ? capabilities.without(
                        Feature.NETWORK_ALLOW,
                        "Landlock's rules name ports without addresses, so that commands would reach these ports of"
                                + " every host",
                        "set it to 'off' or 'open', or use bwrap or docker")
                : capabilities;
    }

    /**
     * Returns the guarantees of a sandbox, whatever the version of Landlock: the system-call filter denies what an
     * older version does not confine.
     *
     * @param machine the guarantees about limits and terminals that this machine supports
     */
    static Set<Guarantee> guarantees(SandboxPolicy policy, Set<Guarantee> machine) {
        Set<Guarantee> kept = EnumSet.of(
                Guarantee.WRITE_CONFINED,
                Guarantee.READ_CONFINED,
                Guarantee.UNIX_SOCKETS_OFF,
                Guarantee.ENV_CONFINED,
                Guarantee.EXACT_STATUS,
                Guarantee.PRIVATE_HOME,
                Guarantee.NO_NEW_PRIVILEGES,
                Guarantee.SYSCALL_FILTER);
        kept.addAll(machine);
        if (policy.network() instanceof NetworkPolicy.Off) {
            kept.add(Guarantee.NETWORK_OFF);
        }
        return Set.copyOf(kept);
    }
}
