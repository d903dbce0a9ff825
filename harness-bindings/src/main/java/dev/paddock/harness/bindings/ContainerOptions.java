package dev.paddock.harness.bindings;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.pattern.Glob;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.harness.audit.AuditSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The options of a container. Immutable; created by {@link AgentContainer#builder}.
 *
 * @since 0.1
 */
public final class ContainerOptions {
    private final Path root;
    private final AgentContainer.Mode mode;
    private final List<Mount> mounts;
    private final List<String> denyRead;
    private final Optional<EnvOptions> env;
    private final Optional<ExecPolicy> exec;
    private final String backend;
    private final Optional<ExecutorFactory> executor;
    private final NetworkPolicy network;
    private final ResourceLimits limits;
    private final FetchPolicy fetch;
    private final Optional<AuditSink> audit;
    private final Clock clock;

    /** Copies a builder, whose values were checked when they were set. */
    private ContainerOptions(Builder set) {
        root = set.root;
        mode = set.mode;
        mounts = List.copyOf(set.mounts);
        denyRead = List.copyOf(set.denyRead);
        env = set.env;
        exec = set.exec;
        backend = set.backend;
        executor = set.executor;
        network = set.network;
        limits = set.limits;
        fetch = set.fetch;
        audit = set.audit;
        clock = set.clock;
    }

    /** Creates the executor of a container's commands. */
    @FunctionalInterface
    public interface ExecutorFactory {
        /**
         * Creates an executor that enforces a policy.
         *
         * @param options the policy, with the container's root, mounts and hidden files; and the observer of
         *     connections, if there is an {@linkplain Builder#audit audit}
         * @return the executor; the container disposes of it
         */
        CommandExecutor create(ExecutorOptions options);
    }

    Path root() {
        return root;
    }

    AgentContainer.Mode mode() {
        return mode;
    }

    List<Mount> mounts() {
        return mounts;
    }

    List<String> denyRead() {
        return denyRead;
    }

    Optional<EnvOptions> env() {
        return env;
    }

    Optional<ExecPolicy> exec() {
        return exec;
    }

    String backend() {
        return backend;
    }

    Optional<ExecutorFactory> executor() {
        return executor;
    }

    NetworkPolicy network() {
        return network;
    }

    ResourceLimits limits() {
        return limits;
    }

    FetchPolicy fetch() {
        return fetch;
    }

    Optional<AuditSink> audit() {
        return audit;
    }

    Clock clock() {
        return clock;
    }

    /** Collects options. Not safe for use by several threads. */
    public static final class Builder {
        private final Path root;
        private AgentContainer.Mode mode = AgentContainer.Mode.LIVE;
        private final List<Mount> mounts = new ArrayList<>();
        private List<String> denyRead = List.of();
        private Optional<EnvOptions> env = Optional.empty();
        private Optional<ExecPolicy> exec = Optional.empty();
        private String backend = ExecutorProviders.AUTO;
        private Optional<ExecutorFactory> executor = Optional.empty();
        private NetworkPolicy network = NetworkPolicy.off();
        private ResourceLimits limits = ResourceLimits.none();
        private FetchPolicy fetch = FetchPolicy.blocked();
        private Optional<AuditSink> audit = Optional.empty();
        private Clock clock = Clock.systemUTC();

        Builder(Path root) {
            try {
                this.root = root.toRealPath();
            } catch (IOException fault) {
                throw new UncheckedIOException("the container's root '" + root + "' cannot be opened", fault);
            }
        }

        /** Sets whether guests work in the directory and the mounts, or in copies of what they may write. */
        public Builder mode(AgentContainer.Mode value) {
            mode = value;
            return this;
        }

        /**
         * Adds a directory or file. The longest path that contains a file applies to it, so that a writable mount may
         * be inside a read-only one.
         *
         * @param path its path for guests: {@code \} means {@code /}, a missing leading slash is added, trailing
         *     slashes are dropped
         * @param source the existing directory or file on the host
         * @param accessTo whether it may be written
         * @throws IllegalArgumentException if the path is malformed or the root itself, or the source does not exist
         */
        public Builder mount(String path, Path source, Mount.Access accessTo) {
            mounts.add(new Mount(source.toAbsolutePath(), "/" + EnvPath.normal(path), accessTo));
            return this;
        }

        /**
         * Adds files whose content neither guests nor commands can read; their names may be listed.
         *
         * @param globs git's syntax with alternatives in braces
         * @throws IllegalArgumentException if a glob is malformed
         */
        public Builder denyRead(List<String> globs) {
            globs.forEach(Glob::compile);
            denyRead = List.copyOf(globs);
            return this;
        }

        /**
         * Sets the sources and the classification of variables.
         *
         * @param value the options
         */
        public Builder environment(EnvOptions value) {
            env = Optional.of(value);
            return this;
        }

        /**
         * Sets which commands run; by default none.
         *
         * @param value the policy
         */
        public Builder exec(ExecPolicy value) {
            exec = Optional.of(value);
            return this;
        }

        /**
         * Sets the backend of commands.
         *
         * @param name its name; by default the strongest usable one, never the host
         */
        public Builder backend(String name) {
            backend = name;
            return this;
        }

        /**
         * Sets a factory for the executor of commands, instead of a backend's name.
         *
         * @param factory called once, at the first command, with the options to create it with
         */
        public Builder executor(ExecutorFactory factory) {
            executor = Optional.of(factory);
            return this;
        }

        /** Sets the network of commands; off by default. */
        public Builder network(NetworkPolicy value) {
            network = value;
            return this;
        }

        /** Sets the limits of commands; none by default. */
        public Builder limits(ResourceLimits value) {
            limits = value;
            return this;
        }

        /**
         * Sets the hosts that guests may fetch from; none by default.
         *
         * @param value the policy
         */
        public Builder fetch(FetchPolicy value) {
            fetch = value;
            return this;
        }

        /**
         * Sets the receiver of events and of records of commands.
         *
         * @param sink stays open
         */
        public Builder audit(AuditSink sink) {
            audit = Optional.of(sink);
            return this;
        }

        /**
         * Sets the clock of the events' times.
         *
         * @param value the clock; the system's by default
         */
        public Builder clock(Clock value) {
            clock = value;
            return this;
        }

        /** {@return the container, which the caller closes} Opens nothing before its first use. */
        public AgentContainer build() {
            return new AgentContainer(new ContainerOptions(this));
        }
    }
}
