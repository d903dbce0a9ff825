package dev.paddock.executor.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a sandbox grants, said once for every backend. Each backend compiles it and refuses what it cannot keep.
 *
 * <p>Defaults: no mounts, the {@linkplain ProtectedPaths#standard() standard protected paths} as far as the backend can,
 * the network off, no limits but 512 processes where they can be limited, and nothing of the host's environment.
 *
 * @param worktree the directory that commands work in, under its two names; writable
 * @param mounts what they see besides
 * @param protectedPaths what of the worktree they must not change
 * @param network what of the network they reach
 * @param limits how much they may use
 * @param environment what they find in their environment
 */
public record SandboxPolicy(
        PathMapping worktree,
        List<Mount> mounts,
        ProtectedPaths protectedPaths,
        NetworkPolicy network,
        ResourceLimits limits,
        EnvironmentPolicy environment) {

    /**
     * Makes a policy.
     *
     * @throws IllegalArgumentException if two mounts have one target, or a mount stands at, above or inside the worktree; the
     *     message names it
     */
    public SandboxPolicy {
        mounts = List.copyOf(mounts);
        Set<String> targets = new HashSet<>();
        for (Mount mount : mounts) {
            if (!targets.add(mount.target())) {
                throw new IllegalArgumentException("two mounts have the target '" + mount.target() + "'");
            }
            requireApart(worktree.commandPath(), mount.target());
        }
    }

    /**
     * A builder with the defaults.
     *
     * @param worktree the directory that commands work in
     * @return the builder
     */
    public static Builder builder(PathMapping worktree) {
        return new Builder(worktree);
    }

    /**
     * The policy that asks for nothing to be enforced, for places that isolate nothing: the network open, protected paths and
     * limits on a best-effort basis.
     *
     * @param worktree the directory that commands work in
     * @return the policy
     */
    public static SandboxPolicy unconfined(PathMapping worktree) {
        return builder(worktree).network(NetworkPolicy.open()).build();
    }

    private static void requireApart(String worktree, String target) {
        if (CommandPaths.below(worktree, target).isPresent()
                || CommandPaths.below(target, worktree).isPresent()) {
            throw new IllegalArgumentException(
                    "the mount's target '" + target + "' covers or lies in the worktree, which is at '" + worktree
                            + "'; choose a target outside of it");
        }
    }

    /** Collects a policy. Not safe for use by several threads. */
    public static final class Builder {
        private final PathMapping worktree;
        private final List<Mount> mounts = new ArrayList<>();
        private ProtectedPaths protectedPaths = ProtectedPaths.standard();
        private NetworkPolicy network = NetworkPolicy.off();
        private ResourceLimits limits = ResourceLimits.none();
        private EnvironmentPolicy environment = EnvironmentPolicy.empty();

        private Builder(PathMapping worktree) {
            this.worktree = worktree;
        }

        /**
         * Adds a mount.
         *
         * @param mount the mount
         * @return this builder
         */
        public Builder mount(Mount mount) {
            mounts.add(mount);
            return this;
        }

        /**
         * Sets the protected paths.
         *
         * @param value the paths
         * @return this builder
         */
        public Builder protectedPaths(ProtectedPaths value) {
            protectedPaths = value;
            return this;
        }

        /**
         * Sets the network.
         *
         * @param value the network
         * @return this builder
         */
        public Builder network(NetworkPolicy value) {
            network = value;
            return this;
        }

        /**
         * Sets the limits.
         *
         * @param value the limits
         * @return this builder
         */
        public Builder limits(ResourceLimits value) {
            limits = value;
            return this;
        }

        /**
         * Sets the environment.
         *
         * @param value the environment
         * @return this builder
         */
        public Builder environment(EnvironmentPolicy value) {
            environment = value;
            return this;
        }

        /**
         * Makes the policy.
         *
         * @return the policy
         * @throws IllegalArgumentException if two mounts have one target, or a mount stands at, above or inside the worktree
         */
        public SandboxPolicy build() {
            return new SandboxPolicy(worktree, mounts, protectedPaths, network, limits, environment);
        }
    }
}
