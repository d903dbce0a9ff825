package dev.paddock.executor.config.grant;

import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;

/**
 * The mounts and variables that an option adds to a policy.
 *
 * @param mounts at their own paths, so that every executor can create them
 * @param variables tell programs where to find the mounts
 */
record Grant(List<Mount> mounts, Map<String, String> variables) {
    static final Grant NOTHING = new Grant(List.of(), Map.of());

    public Grant {
        mounts = List.copyOf(mounts);
        variables = Map.copyOf(variables);
    }

    /**
     * Adds the grant to a policy. The policy takes precedence: its variables keep their
     * values, and a read-only mount is omitted if a mount of the policy already shows the path.
     *
     * @param policy the policy
     * @return the policy with the grant
     * @throws IllegalArgumentException if a writable mount overlaps another mount or the worktree
     */
    public SandboxPolicy addTo(SandboxPolicy policy) {
        SandboxPolicy.Builder builder = policy.toBuilder();
        for (Mount mount : mounts) {
            if (mount.access() == Mount.Access.READ_WRITE || !isShown(policy, mount)) {
                builder.mount(mount);
            }
        }
        EnvironmentPolicy environment = policy.environment();
        for (Map.Entry<String, String> variable : variables.entrySet()) {
            String name = variable.getKey();
            boolean isOwn = environment.variables().containsKey(name)
                    || environment.passed().contains(name)
                    || environment.forced().contains(name);
            if (!isOwn) {
                environment = environment.with(name, variable.getValue());
            }
        }
        return builder.environment(environment).build();
    }

    private static boolean isShown(SandboxPolicy policy, Mount mount) {
        return policy.mounts().stream().anyMatch(other -> (mount.target() + "/").startsWith(other.target() + "/"));
    }
}
