package dev.paddock.executor.policy;

import dev.paddock.executor.pattern.Glob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The grants of a sandbox, independent of the backend. Each backend compiles the policy and refuses
 * it if it cannot enforce a part of it.
 *
 * <p>Defaults: no mounts, the {@linkplain ProtectedPaths#standard() standard protected paths} on a
 * best-effort basis, the network off, no limits except 512 processes where they can be limited, and
 * no variables of the host's environment.
 *
 * <p>Immutable; policies with equal parts are equal. Created by {@link #builder},
 * {@link #unconfined} or, from another policy, {@link #toBuilder}.
 *
 * @since 0.1
 */
public final class SandboxPolicy {
    private final PathMapping worktree;
    private final Optional<String> alias;
    private final List<Mount> mounts;
    private final ProtectedPaths protectedPaths;
    private final List<String> hidden;
    private final NetworkPolicy network;
    private final boolean unixSockets;
    private final ResourceLimits limits;
    private final EnvironmentPolicy environment;

    private SandboxPolicy(Builder builder) {
        worktree = builder.worktree;
        alias = builder.alias;
        mounts = List.copyOf(builder.mounts);
        protectedPaths = builder.protectedPaths;
        hidden = List.copyOf(builder.hidden);
        network = builder.network;
        unixSockets = builder.unixSockets;
        limits = builder.limits;
        environment = builder.environment;
        Set<String> targets = new HashSet<>();
        for (Mount mount : mounts) {
            if (!targets.add(mount.target())) {
                throw new IllegalArgumentException("two mounts have the target '" + mount.target() + "'");
            }
            requireApart(worktree.commandPath(), mount.target());
        }
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param worktree the directory that commands work in
     * @return the builder
     */
    public static Builder builder(PathMapping worktree) {
        return new Builder(worktree);
    }

    /**
     * Returns the policy that requires no enforcement, for executors without isolation: the network
     * open, protected paths and limits on a best-effort basis.
     *
     * @param worktree the directory that commands work in
     * @return the policy
     */
    public static SandboxPolicy unconfined(PathMapping worktree) {
        return builder(worktree).network(NetworkPolicy.open()).build();
    }

    /**
     * Returns a builder with this policy's parts, to change some of them.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        Builder builder = new Builder(worktree)
                .protectedPaths(protectedPaths)
                .network(network)
                .unixSockets(unixSockets)
                .limits(limits)
                .environment(environment);
        mounts.forEach(builder::mount);
        alias.ifPresent(builder::alias);
        return builder.hidden(hidden);
    }

    /**
     * Returns the directory that commands work in, as its path on the host and on the command's
     * side; writable.
     *
     * @return the directory
     */
    public PathMapping worktree() {
        return worktree;
    }

    /**
     * Returns another name of the worktree.
     *
     * @return the path of a link to it, absolute; empty if it has none
     */
    public Optional<String> alias() {
        return alias;
    }

    /**
     * Returns the directories and files that commands see besides the worktree.
     *
     * @return an unmodifiable list, in the order added; each target occurs once
     */
    public List<Mount> mounts() {
        return mounts;
    }

    /**
     * Returns the paths of the worktree that commands must not change.
     *
     * @return the paths
     */
    public ProtectedPaths protectedPaths() {
        return protectedPaths;
    }

    /**
     * Returns the globs of the files that commands cannot read.
     *
     * @return an unmodifiable list, in the order added
     */
    public List<String> hidden() {
        return hidden;
    }

    /**
     * Returns the part of the network that commands can reach.
     *
     * @return the network
     */
    public NetworkPolicy network() {
        return network;
    }

    /**
     * Returns whether commands may use unix sockets: their own, and those that programs of the host have in the
     * worktree and the mounts.
     *
     * @return true by default
     */
    public boolean unixSockets() {
        return unixSockets;
    }

    /**
     * Returns the limits on the machine's resources that commands may use.
     *
     * @return the limits
     */
    public ResourceLimits limits() {
        return limits;
    }

    /**
     * Returns the variables that commands find in their environment.
     *
     * @return the environment
     */
    public EnvironmentPolicy environment() {
        return environment;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SandboxPolicy policy && parts().equals(policy.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "SandboxPolicy" + parts();
    }

    private List<Object> parts() {
        return List.of(worktree, alias, mounts, protectedPaths, hidden, network, unixSockets, limits, environment);
    }

    private static void requireApart(String worktree, String target) {
        if (CommandPaths.isWithin(worktree, target) || CommandPaths.isWithin(target, worktree)) {
            throw new IllegalArgumentException(
                    "the mount's target '" + target + "' covers or lies in the worktree, which is at '" + worktree
                            + "'; choose a target outside of it");
        }
    }

    /** Collects a policy. Not safe for use by several threads. */
    public static final class Builder {
        private PathMapping worktree;
        private Optional<String> alias = Optional.empty();
        private final List<Mount> mounts = new ArrayList<>();
        private ProtectedPaths protectedPaths = ProtectedPaths.standard();
        private final List<String> hidden = new ArrayList<>();
        private NetworkPolicy network = NetworkPolicy.off();
        private boolean unixSockets = true;
        private ResourceLimits limits = ResourceLimits.none();
        private EnvironmentPolicy environment = EnvironmentPolicy.empty();

        private Builder(PathMapping worktree) {
            this.worktree = worktree;
        }

        /**
         * Sets another worktree.
         *
         * @param value the directory that commands work in
         * @return this builder
         */
        public Builder worktree(PathMapping value) {
            worktree = value;
            return this;
        }

        /**
         * Sets another name of the worktree: the symbolic link by which the user reaches it. Bubblewrap
         * creates this link unless the sandbox has something at its path; containers do not. The name
         * grants nothing.
         *
         * @param path the link's path, absolute and in plain form
         * @return this builder
         * @throws IllegalArgumentException if the path is not absolute, or not in plain form
         */
        public Builder alias(String path) {
            alias = Optional.of(CommandPaths.requireNormal(path));
            return this;
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
         * Hides files of the worktree and of mounts: commands can neither read nor write them, but still see
         * their names. The sandbox looks for these files when a command starts, or when a container is created: a
         * file that is added later, or that replaces a hidden one from the host, is not hidden. A
         * repository's objects, and files outside the worktree and the mounts, are not searched.
         *
         * @param globs git's syntax with alternatives in braces: without a slash a glob matches
         *     names at any depth, with one paths in the worktree or a mount, and absolute paths on
         *     the command's side. One that matches a directory hides all that is in it. Case is
         *     ignored
         * @return this builder
         * @throws IllegalArgumentException if a glob is malformed
         */
        public Builder hidden(List<String> globs) {
            globs.forEach(Glob::compile);
            hidden.addAll(globs);
            return this;
        }

        /**
         * Sets whether commands may use unix sockets. Without them, commands cannot reach host programs that listen in
         * the worktree or a mount, such as a development server or an agent. Connected socket pairs remain allowed.
         *
         * @param value true by default
         * @return this builder
         */
        public Builder unixSockets(boolean value) {
            unixSockets = value;
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
         * Builds the policy.
         *
         * @return the policy
         * @throws IllegalArgumentException if two mounts have one target, or a mount's target is the
         *     worktree, above it or inside it
         */
        public SandboxPolicy build() {
            return new SandboxPolicy(this);
        }
    }
}
