package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.ExecutorProviders;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The options of a {@link DirectoryWorkspaceProvider}; {@link Builder} sets them.
 *
 * @since 0.1
 */
public final class DirectoryWorkspaceOptions {
    /** Commands determine what is stored: without a bound, a checkpoint before each prompt would fill the disk. */
    static final long MAX_SNAPSHOT_BYTES = 64L << 30;

    private final Supplier<List<ExecutorProvider>> executors;
    private final CommandRule rule;
    private final Optional<Duration> maxDuration;
    private final EnvironmentPolicy environment;
    private final UnaryOperator<SandboxPolicy> grants;
    private final long maxSnapshotBytes;
    private final UnaryOperator<ExecutorOptions> executorOptions;

    private DirectoryWorkspaceOptions(Builder builder) {
        executors = builder.executors;
        rule = builder.rule;
        maxDuration = builder.maxDuration;
        environment = builder.environment;
        grants = builder.grants;
        maxSnapshotBytes = builder.maxSnapshotBytes;
        executorOptions = builder.executorOptions;
    }

    Supplier<List<ExecutorProvider>> executors() {
        return executors;
    }

    CommandRule rule() {
        return rule;
    }

    /**
     * Returns the rules for a workspace's commands. If nothing else confines them, or only some are allowed, they must
     * begin in the workspace.
     */
    GuardedExecutor.Rules rules(WorkspaceKind kind, SandboxPolicy policy) {
        boolean anywhere = kind.confines() && rule.programs().isEmpty();
        return new GuardedExecutor.Rules(rule, anywhere ? DirectoryRule.ANY : DirectoryRule.of(policy), maxDuration);
    }

    long maxSnapshotBytes() {
        return maxSnapshotBytes;
    }

    UnaryOperator<ExecutorOptions> executorOptions() {
        return executorOptions;
    }

    /** Returns the grants of a workspace's commands. */
    SandboxPolicy policy(WorkspaceKind kind, PathMapping worktree, WorkspaceRecord record) {
        SandboxPolicy.Builder policy = SandboxPolicy.builder(worktree)
                .network(kind.network(record.config()))
                .limits(record.config().limits())
                .environment(environment);
        record.config().mounts().forEach(policy::mount);
        // If a repository was removed since, its objects are missing, which git reports.
        record.borrowed().stream()
                .filter(path -> kind.confines() && Files.isDirectory(path))
                .forEach(path -> policy.mount(new Mount(path, path.toString(), Mount.Access.READ_ONLY)));
        return grants.apply(policy.build());
    }

    /**
     * Collects the options of a provider. Not safe for use by several threads.
     *
     * <p>Defaults: no command is allowed; no time limit; no variables of the host's environment; only the grants
     * stored with a workspace; no snapshot quota; the installed backends; no
     * observer and no approver of connections.
     */
    public static final class Builder {
        private final WorkspaceKind kind;
        private final Path root;
        private Supplier<List<ExecutorProvider>> executors = ExecutorProviders::installed;
        private CommandRule rule = CommandRule.NONE;
        private Optional<Duration> maxDuration = Optional.empty();
        private EnvironmentPolicy environment = EnvironmentPolicy.empty();
        private UnaryOperator<SandboxPolicy> grants = UnaryOperator.identity();
        private long maxSnapshotBytes = MAX_SNAPSHOT_BYTES;
        private UnaryOperator<ExecutorOptions> executorOptions = UnaryOperator.identity();

        Builder(WorkspaceKind kind, Path root) {
            this.kind = kind;
            this.root = root;
        }

        /**
         * Allows only these programs, each with plain arguments: no operators, expansions or assignments; no variables
         * that can make them run another program; and no start directory outside the workspace. A command that is not
         * allowed never reaches the sandbox. The list confines no program: many can start others.
         *
         * @param programs names as commands begin with them; one with a {@code /} allows exactly that path; an empty
         *     collection allows nothing
         * @return this builder
         * @throws IllegalArgumentException if an element is not a program's name
         */
        public Builder allowedCommands(Collection<String> programs) {
            rule = CommandRule.list(programs);
            return this;
        }

        /**
         * Allows every command: only the sandbox confines them.
         *
         * @return this builder
         */
        public Builder anyCommand() {
            rule = CommandRule.ANY;
            return this;
        }

        /**
         * Limits how long each command may run, whatever its caller allows: a longer one is ended with all its
         * processes. A run reports that it timed out; a spawned process, as in the background, is aborted.
         *
         * @param value the longest duration
         * @return this builder
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder maxDuration(Duration value) {
            if (!value.isPositive()) {
                throw new IllegalArgumentException("maxDuration is " + value + "; it must be positive");
            }
            maxDuration = Optional.of(value);
            return this;
        }

        /**
         * Sets the variables of commands. They are not stored with a workspace.
         *
         * @param value variables, and names of host variables
         * @return this builder
         */
        public Builder environment(EnvironmentPolicy value) {
            environment = value;
            return this;
        }

        /**
         * Adds grants, such as the user's toolchains, to a workspace's policy each time that it is opened or resolved.
         * They are not stored with the workspace.
         *
         * @param value takes the workspace's policy, with its environment, and returns the effective one; it must keep
         *     the worktree
         * @return this builder
         */
        public Builder grants(UnaryOperator<SandboxPolicy> value) {
            grants = value;
            return this;
        }

        /**
         * Adds to the options of the executors of workspaces, each time that one is opened or resolved: a listener for
         * progress, and, as far as the options permit, observers and an approver of connections. None by default.
         *
         * @param value takes the options with the workspace's policy and settings, and returns them with more
         * @return this builder
         */
        public Builder executorOptions(UnaryOperator<ExecutorOptions> value) {
            executorOptions = value;
            return this;
        }

        /**
         * Limits the size of each workspace's snapshots. A snapshot that would exceed it is refused.
         *
         * @param bytes at least 0; 64 GiB by default
         * @return this builder
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxSnapshotBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("maxSnapshotBytes is " + bytes + "; it must be at least 0");
            }
            maxSnapshotBytes = bytes;
            return this;
        }

        /**
         * Sets the backends from which the kind's are chosen.
         *
         * @param value the backends
         * @return this builder
         */
        public Builder executors(List<ExecutorProvider> value) {
            List<ExecutorProvider> all = List.copyOf(value);
            executors = () -> all;
            return this;
        }

        /** {@return the provider} Touches no file. */
        public DirectoryWorkspaceProvider build() {
            return new DirectoryWorkspaceProvider(kind, root, new DirectoryWorkspaceOptions(this));
        }
    }
}
