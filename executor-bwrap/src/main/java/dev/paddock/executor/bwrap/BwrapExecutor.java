package dev.paddock.executor.bwrap;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.network.ConnectionOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.LocalCommands;
import dev.paddock.executor.sandbox.local.LocalExecutor;
import dev.paddock.executor.sandbox.local.SandboxBuilder;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs commands in bubblewrap sandboxes on Linux, each in namespaces of its own. A command sees the
 * worktree, the parts of the system that programs need, the paths that the
 * {@linkplain SandboxPolicy policy} grants, and no other file or process of the machine.
 *
 * <p>Defaults:
 * <ul>
 *   <li>the worktree at its own path, writable, its protected paths read-only
 *   <li>no network; loopback, {@code /tmp} and {@code $HOME} belong to the executor, are the same
 *       for all its commands, and are removed with it
 *   <li>no capability, no new privileges, a filter of system calls, no more than 512 processes
 *   <li>{@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code LANG}, {@code TERM} and
 *       {@code GEM_HOME} in the environment, and the policy's variables
 *   <li>the shell {@code /bin/sh}, two warm slots
 * </ul>
 *
 * <p>A sandbox ends with its command's main process: the kernel kills the processes that the
 * command has left running, without TERM (C8). After an abort it ends when all have ended, or after the
 * grace (C10). No descendant of a command can leave its sandbox: {@link Guarantee#TREE_KILL}.
 *
 * <p>Needs bubblewrap, util-linux, user namespaces and glibc 2.34; as root or as an ordinary user.
 *
 * @since 0.1
 */
public final class BwrapExecutor extends LocalExecutor {
    private final BwrapResources resources;
    private final BwrapBackend backend;

    private BwrapExecutor(BwrapResources resources, BwrapBackend backend, CommandExecutor commands) {
        super(commands);
        this.resources = resources;
        this.backend = backend;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the directory that contains the executor's own files. */
    Path stateDirectory() {
        return resources.stateDirectory();
    }

    /** Returns the id of the process that holds the commands' shared network namespace. */
    long holderPid() {
        return backend.joined().orElseThrow().pid();
    }

    private static BwrapExecutor create(
            SandboxOptions options,
            Optional<Path> program,
            boolean writableRoot,
            ExecutorOptions observed,
            ExecutorParts parts)
            throws IOException {
        BwrapResources resources = new BwrapResources(options, program, writableRoot, observed, parts);
        resources.allowed().ifPresent(network -> network.register(observed));
        resources.published().register(observed);
        BwrapBackend backend = new BwrapBackend(resources);
        SandboxedSpawner<BwrapBackend.Plan> spawner =
                new SandboxedSpawner<>(BwrapProvider.NAME, options.shell(), options.warmSlots(), backend);
        LocalCommands commands = new LocalCommands(
                BwrapProvider.NAME,
                resources.guarantees(),
                Optional.of(options.policy().worktree()),
                backend::commandEnvironment,
                spawner,
                parts);
        backend.watch(spawner::lose);
        return new BwrapExecutor(resources, backend, commands);
    }

    /** Collects an executor's options. Not safe for use by several threads. */
    public static final class Builder extends SandboxBuilder<Builder> {
        private final ConnectionOptions connections = new ConnectionOptions();
        private Optional<Path> program = Optional.empty();
        private boolean writableRoot;

        private Builder() {}

        /**
         * Sets the bubblewrap to use; by default {@code bwrap} from the system's directories, then
         * from the {@code PATH}.
         *
         * @param value the program, absolute
         * @return this builder
         */
        public Builder program(Path value) {
            program = Optional.of(value);
            return this;
        }

        /**
         * Adds an observer of the connections that commands make: {@link ExecutorOptions#onConnection}.
         *
         * @param observer called by the thread of the connection; must neither wait nor throw
         * @return this builder; building it refuses a policy whose network is open
         */
        public Builder onConnection(Consumer<HostConnection> observer) {
            connections.onConnection(observer);
            return this;
        }

        /**
         * Sets the approver of connections to hosts that the policy does not name: {@link
         * ExecutorOptions#approveHosts}.
         *
         * @param approver decides
         * @return this builder; building it refuses a policy without a network of allowed hosts
         */
        public Builder approveHosts(HostApprover approver) {
            connections.approveHosts(approver);
            return this;
        }

        /** Takes the observers and the approver of a provider's options. */
        Builder connections(ExecutorOptions options) {
            connections.addAll(options);
            return this;
        }

        /**
         * Lets commands change the system's files, as far as their user may: root's all, another user's only new
         * ones at the top. The changes are in a layer of each command's own, which is in memory and ends with it.
         * Needs bubblewrap 0.11.
         *
         * @param writable false by default
         * @return this builder
         */
        public Builder writableRoot(boolean writable) {
            writableRoot = writable;
            return this;
        }

        /**
         * Creates the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if neither a worktree nor a policy is set, or both are,
         *     or the worktree is no directory; or if the policy's network does not fit
         *     an observer or an approver that was given
         * @throws SandboxUnavailableException if bubblewrap cannot be used here
         * @throws dev.paddock.executor.UnsupportedPolicyException if the policy requires
         *     enforcement that this machine does not support
         */
        public BwrapExecutor build() {
            SandboxOptions options = options();
            ExecutorOptions observed = connections.of(options.policy());
            if (!System.getProperty("os.name", "").equals("Linux")) {
                throw new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.notLinux());
            }
            return ExecutorParts.assemble(parts -> create(options, program, writableRoot, observed, parts));
        }

        @Override
        protected Builder self() {
            return this;
        }
    }
}
