package dev.paddock.harness.workspace.provider;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Describes a new workspace and the grants of its commands. It is stored with the workspace.
 *
 * <p>Defaults: the capabilities {@link Capability#FILES} and {@link Capability#SHELL}; an empty
 * directory; the network off, except for a kind that cannot switch it off; no limits except those of
 * every sandbox; no mounts; no settings.
 *
 * @param kind the provider's kind
 * @param capabilities the intended uses of the workspace, at least one
 * @param source the directory whose content the workspace begins with; empty for an empty one
 * @param network the part of the network that commands can reach; empty for the kind's default
 * @param limits the limits of commands
 * @param mounts what commands see besides the workspace
 * @param settings the backend's own settings, such as {@code image} for docker
 * @since 0.1
 */
public record WorkspaceConfig(
        String kind,
        Set<Capability> capabilities,
        Optional<Path> source,
        Optional<NetworkPolicy> network,
        ResourceLimits limits,
        List<Mount> mounts,
        Map<String, String> settings) {

    /**
     * Creates a configuration.
     *
     * @throws IllegalArgumentException if there is no capability
     */
    public WorkspaceConfig {
        if (capabilities.isEmpty()) {
            throw new IllegalArgumentException("a workspace needs at least one capability; none is declared");
        }
        capabilities = Set.copyOf(capabilities);
        mounts = List.copyOf(mounts);
        settings = Map.copyOf(settings);
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param kind the provider's kind
     * @return the builder
     */
    public static Builder of(String kind) {
        return new Builder(kind);
    }

    /** Collects a configuration. Not safe for use by several threads. */
    public static final class Builder {
        private final String kind;
        private Set<Capability> capabilities = EnumSet.of(Capability.FILES, Capability.SHELL);
        private Optional<Path> source = Optional.empty();
        private Optional<NetworkPolicy> network = Optional.empty();
        private ResourceLimits limits = ResourceLimits.none();
        private final List<Mount> mounts = new ArrayList<>();
        private final Map<String, String> settings = new LinkedHashMap<>();

        private Builder(String kind) {
            this.kind = kind;
        }

        /**
         * Declares the intended uses of the workspace. A provider that lacks one of them refuses to
         * open it.
         *
         * @param value at least one
         * @return this builder
         */
        public Builder capabilities(Capability... value) {
            capabilities = Set.of(value);
            return this;
        }

        /**
         * Sets the directory that provides the workspace's initial content. It is copied and stays
         * unchanged.
         *
         * @param directory an existing directory that nobody writes to meanwhile
         * @return this builder
         */
        public Builder copyOf(Path directory) {
            source = Optional.of(directory);
            return this;
        }

        /**
         * Sets the part of the network that commands can reach.
         *
         * @param value the network
         * @return this builder
         */
        public Builder network(NetworkPolicy value) {
            network = Optional.of(value);
            return this;
        }

        /**
         * Sets the limits of commands.
         *
         * @param value the limits
         * @return this builder
         */
        public Builder limits(ResourceLimits value) {
            limits = value;
            return this;
        }

        /**
         * Adds a directory or file that commands see besides the workspace.
         *
         * @param mount the mount
         * @return this builder
         */
        public Builder mount(Mount mount) {
            mounts.add(mount);
            return this;
        }

        /**
         * Adds a setting of the backend.
         *
         * @param name the setting's name
         * @param value its value
         * @return this builder
         */
        public Builder setting(String name, String value) {
            settings.put(name, value);
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @return the configuration
         * @throws IllegalArgumentException if there is no capability
         */
        public WorkspaceConfig build() {
            return new WorkspaceConfig(kind, capabilities, source, network, limits, mounts, settings);
        }
    }
}
