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
import org.jspecify.annotations.Nullable;

/**
 * Describes a new workspace and the grants of its commands. It is stored with the workspace.
 *
 * <p>Defaults: the capabilities {@link Capability#FILES} and {@link Capability#SHELL}; an empty
 * directory; the network off, except for a kind that cannot switch it off; no limits except those of
 * every sandbox; no mounts; no settings.
 *
 * @since 0.1
 */
public final class WorkspaceConfig {

    private final String kind;
    private final Set<Capability> capabilities;
    private final Optional<Path> source;
    private final Optional<NetworkPolicy> network;
    private final ResourceLimits limits;
    private final List<Mount> mounts;
    private final Map<String, String> settings;

    private WorkspaceConfig(
            String kind,
            Set<Capability> capabilities,
            Optional<Path> source,
            Optional<NetworkPolicy> network,
            ResourceLimits limits,
            List<Mount> mounts,
            Map<String, String> settings) {
        if (capabilities.isEmpty()) {
            throw new IllegalArgumentException("a workspace needs at least one capability; none is declared");
        }
        capabilities = Set.copyOf(capabilities);
        mounts = List.copyOf(mounts);
        settings = Map.copyOf(settings);
        this.kind = kind;
        this.capabilities = capabilities;
        this.source = source;
        this.network = network;
        this.limits = limits;
        this.mounts = mounts;
        this.settings = settings;
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
         * Sets the directory whose copy is the workspace's initial content.
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
         * Adds a directory or file that commands see in addition to the workspace.
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

    /** {@return the provider's kind} */
    public String kind() {
        return kind;
    }

    /** {@return the intended uses of the workspace, at least one} */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /** {@return the directory whose copy is the initial content; none for an empty workspace} */
    public Optional<Path> source() {
        return source;
    }

    /** {@return the part of the network that commands can reach; empty for the kind's default} */
    public Optional<NetworkPolicy> network() {
        return network;
    }

    /** {@return the limits of commands} */
    public ResourceLimits limits() {
        return limits;
    }

    /** {@return the mounts that commands see in addition to the workspace} */
    public List<Mount> mounts() {
        return mounts;
    }

    /** {@return the backend's own settings, such as {@code image} for docker} */
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WorkspaceConfig that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "WorkspaceConfig" + parts();
    }

    private List<Object> parts() {
        return List.of(kind, capabilities, source, network, limits, mounts, settings);
    }
}
