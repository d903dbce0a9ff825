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
 * Runs commands in bubblewrap sandboxes on Linux, each in its own namespaces. A command sees the worktree, the parts of
 * the system that programs need, and the paths that the {@linkplain SandboxPolicy policy} grants; it sees no other file
 * or process of the machine.
 *
 * <p>Defaults:
 * <ul>
 *   <li>the worktree at its own path, writable, its protected paths read-only
 *   <li>no network; loopback, {@code /tmp} and {@code $HOME} are shared by the executor's commands and removed with the
 *     executor
 *   <li>no capability, no new privileges, a filter of system calls, at most 512 processes
 *   <li>{@code PATH}, {@code HOME}, {@code USER}, {@code LOGNAME}, {@code LANG}, {@code TERM} and {@code GEM_HOME} in
 *     the environment, and the policy's variables
 *   <li>the shell {@code /bin/sh}, two warm slots
 * </ul>
 *
 * <p>A sandbox ends with its command's main process: the kernel kills the remaining processes without TERM (C8). After
 * an abort it ends when all processes have exited, or after the grace (C10). No descendant of a command can leave its
 * sandbox: {@link Guarantee#TREE_KILL}.
 *
 * <p>Needs bubblewrap, util-linux, user namespaces and glibc 2.34. Works as root and as an ordinary user.
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

    /** Collects an executor's options. Not thread-safe. */
    public static final class Builder extends SandboxBuilder<Builder> {
        private final ConnectionOptions connections = new ConnectionOptions();
        private Optional<Path> program = Optional.empty();
        private boolean writableRoot;

        private Builder() {}

        /**
         * Sets the bubblewrap program; by default {@code bwrap} from the system's directories, then from the {@code
         * PATH}.
         *
         * @param value the program, absolute
         * @return this builder
         */
        public Builder program(Path value) {
            program = Optional.of(value);
            return this;
        }

        /**
         * Adds an observer of the commands' connections: {@link ExecutorOptions#onConnection}.
         *
         * @param observer called on the connection's thread; must neither block nor throw
         * @return this builder; building it refuses a policy whose network is open
         */
        public Builder onConnection(Consumer<HostConnection> observer) {
            connections.onConnection(observer);
            return this;
        }

        /**
         * Sets the approver of connections to hosts that the policy does not list: {@link
         * ExecutorOptions#approveHosts}.
         *
         * @param approver decides
         * @return this builder; building it refuses a policy without a network of allowed hosts
         */
        public Builder approveHosts(HostApprover approver) {
            connections.approveHosts(approver);
            return this;
        }

        /** Copies the observers and the approver from a provider's options. */
        Builder connections(ExecutorOptions options) {
            connections.addAll(options);
            return this;
        }

        /**
         * Lets commands change the system's files: root all of them, another user only new ones at the top. The changes
         * stay in a layer in memory, which belongs to one command and ends with it. Needs bubblewrap 0.11.
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
         * @throws IllegalArgumentException if neither or both of worktree and policy are set, or the worktree is no
         *     directory; or if the policy's network does not fit a given observer or approver
         * @throws SandboxUnavailableException if bubblewrap cannot be used here
         * @throws dev.paddock.executor.UnsupportedPolicyException if the policy requires enforcement that this machine
         *     does not support
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
