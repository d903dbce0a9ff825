package dev.paddock.executor.landlock;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Demand;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What Landlock can keep of a policy, and what it guarantees. */
final class Support {

    private Support() {}

    /**
     * Landlock grants paths where they are, and what it grants of a tree it grants of all that is in it.
     *
     * @throws UnsupportedPolicyException if the policy asks for more
     */
    static void require(SandboxPolicy policy, Places places) {
        List<String> unsupported = new ArrayList<>();
        if (!policy.worktree().isSame()) {
            unsupported.add("the worktree '" + policy.worktree().hostPath() + "' at another path, '"
                    + policy.worktree().commandPath() + "'");
        }
        if (policy.network() instanceof NetworkPolicy.Allow allowed) {
            unsupported.add("a network of chosen hosts: " + String.join(", ", allowed.hosts()));
        }
        if (policy.protectedPaths().demand() == Demand.REQUIRED
                && !policy.protectedPaths().names().isEmpty()) {
            unsupported.add("protected paths, since what is writable is writable as a whole: "
                    + String.join(", ", policy.protectedPaths().names()));
        }
        for (Mount mount : policy.mounts()) {
            if (!places.real(Path.of(mount.target())).equals(mount.source())) {
                unsupported.add("the mount '" + mount.source() + "' at another path, '" + mount.target() + "'");
            }
            writableAbove(policy, mount, places)
                    .forEach(above -> unsupported.add("the mount '" + mount.source() + "' read-only, since it lies in '"
                            + above + "', which is writable"));
        }
        if (!unsupported.isEmpty()) {
            throw new UnsupportedPolicyException(LandlockExecutor.NAME, unsupported);
        }
    }

    private static List<Path> writableAbove(SandboxPolicy policy, Mount mount, Places places) {
        List<Path> above = new ArrayList<>();
        if (mount.access() == Mount.Access.READ_ONLY) {
            List<Path> writable = new ArrayList<>();
            writable.add(places.real(policy.worktree().hostPath()));
            policy.mounts().stream()
                    .filter(other -> other.access() == Mount.Access.READ_WRITE)
                    .forEach(other -> writable.add(other.source()));
            writable.stream().filter(mount.source()::startsWith).forEach(above::add);
        }
        return above;
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
