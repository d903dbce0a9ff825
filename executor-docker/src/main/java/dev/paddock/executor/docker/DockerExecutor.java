package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ExtraOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.EngineReport;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.builder.ContainerExecutorBuilder;
import dev.paddock.executor.remote.command.RemoteCommands;
import dev.paddock.executor.remote.command.RemoteProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs commands in a container of Docker or Podman: a running one, or one that the executor creates.
 *
 * <p>Attached to a container, the executor never removes it unless {@linkplain Builder#removeOnDispose() configured
 * to}, and guarantees what the container's configuration enforces. With an image, it creates a container at the first
 * command and removes it at disposal; the container also ends when the JVM exits or is killed.
 *
 * <p>An image needs only a shell named {@code sh}. Death by signal n is reported as 128 + n, like an exit code of that
 * value: {@link Guarantee#EXACT_STATUS} is not claimed.
 *
 * <p>In a container that the executor creates, {@code /etc/passwd} names {@code HOME} as the home of the commands'
 * user, since Java and ssh read it there. The image's file stays where the engine is not on this machine, a mount
 * covers it, or the root is writable.
 *
 * <p>A variable that some shell would change before the command sees it, such as {@code RANDOM} or {@code LINENO}, is
 * refused with a {@link dev.paddock.executor.SpawnException}.
 *
 * <p>The engine is the one that the {@code docker} command would use: the one named by {@code DOCKER_HOST} and related
 * variables, the current context, or the default socket. Unix sockets, TCP and TLS are supported. It may be Podman's,
 * at the socket of its service; one that an ordinary user runs enforces no limits.
 *
 * @since 0.1
 */
public final class DockerExecutor implements CommandExecutor {
    private final DockerCommands commands;

    /** Present if each command gets its own container; {@link #commands} then only answers queries. */
    private final Optional<FreshContainers> fresh;

    private volatile boolean disposed;

    /**
     * Attaches to a running container. The first command contacts the engine.
     *
     * @param containerId its id or name; the executor never removes it
     */
    public DockerExecutor(String containerId) {
        this(containerId, Map.of());
    }

    /**
     * Attaches to a running container.
     *
     * @param containerId its id or name; the executor never removes it
     * @param env variables that override the container's own environment for each command
     */
    public DockerExecutor(String containerId, Map<String, String> env) {
        this(builder().container(containerId).env(env).source());
    }

    DockerExecutor(RemoteProvider source) {
        this(source, Optional.empty());
    }

    private DockerExecutor(RemoteProvider source, Optional<FreshContainers> fresh) {
        commands = new DockerCommands(source);
        this.fresh = fresh;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public String name() {
        return Engine.BACKEND;
    }

    /**
     * Returns what the container enforces. Attached to a container, this asks the engine for its configuration, once.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine or the container is not available
     */
    @Override
    public Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    @Override
    public Set<CommandShell> shells() {
        return RemoteCommands.SHELLS;
    }

    @Override
    public boolean isKept(Path path) {
        return commands.isKept(path);
    }

    @Override
    public Optional<PathMapping> worktree() {
        return commands.worktree();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return fresh.isPresent() ? fresh.get().spawn(command, options) : commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        disposed = true;
        try {
            fresh.ifPresent(FreshContainers::dispose);
        } finally {
            commands.dispose();
        }
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    /**
     * Returns the id of the commands' container, for use with the engine's own tools. The executor keeps ownership of
     * the container.
     *
     * @return the engine's id of it; empty before it has been created
     */
    public Optional<String> containerId() {
        return commands.containerId();
    }

    private void start() {
        commands.start(this);
    }

    int waitingSlots() {
        return commands.waitingSlots();
    }

    /**
     * Collects the options of an executor. Not thread-safe.
     *
     * <p>Defaults: the engine that the {@code docker} command would use; a missing image is pulled; commands run as the
     * owner of the worktree; the worktree is mounted at {@code /work}; the engine's default runtime; no further
     * options; the container is created at the first command.
     */
    public static final class Builder extends ContainerExecutorBuilder<Builder> {
        private final DockerOptions wanted = new DockerOptions();

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Attaches to a running container instead of creating one.
         *
         * @param value its id or name
         * @return this builder
         * @throws IllegalArgumentException if it is neither a valid id nor a valid name
         */
        public Builder container(String value) {
            wanted.container = DockerOptions.requireContainer(value);
            return this;
        }

        /**
         * Sets the path at which commands see the worktree.
         *
         * @param value an absolute path in the container; {@code /work} by default
         * @return this builder
         */
        public Builder execCwd(String value) {
            wanted.execCwd = value;
            return this;
        }

        /**
         * Sets whether a missing image is pulled.
         *
         * @param value the pull policy
         * @return this builder
         */
        public Builder pullPolicy(PullPolicy value) {
            wanted.pullPolicy = value;
            return this;
        }

        /**
         * Registers a listener for the progress of the image pull: its details are the layers and bytes that have
         * arrived, of those of known size.
         *
         * @param listener called on the engine's thread; must return quickly
         * @return this builder
         */
        public Builder onProgress(Consumer<Progress> listener) {
            wanted.progress = listener;
            return this;
        }

        /**
         * Adds an observer of the commands' connections: {@link ExecutorOptions#onConnection}.
         *
         * @param observer called on the connection's thread; must neither block nor throw
         * @return this builder; building it refuses a policy whose network is open
         */
        public Builder onConnection(Consumer<HostConnection> observer) {
            wanted.connections.onConnection(observer);
            return this;
        }

        /**
         * Adds an observer of relayed connections: {@link ExecutorOptions#onRelayedConnection}.
         *
         * @param observer called on the connection's thread; must neither block nor throw
         * @return this builder
         */
        public Builder onRelayedConnection(Consumer<HostConnection> observer) {
            wanted.connections.onRelayedConnection(observer);
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
            wanted.connections.approveHosts(approver);
            return this;
        }

        /** Copies the observers and the approver from a provider's options. */
        Builder connections(ExecutorOptions options) {
            wanted.connections.addAll(options);
            return this;
        }

        /**
         * Sets the user that commands run as.
         *
         * @param value {@code auto} for the owner of the worktree (for the container's own user
         *     when attached), {@code image} for the image's, or {@code UID[:GID]} or a user name of
         *     the image
         * @return this builder
         * @throws IllegalArgumentException if it is none of these
         */
        public Builder user(String value) {
            wanted.user = DockerOptions.requireUser(value);
            return this;
        }

        /**
         * Sets the OCI runtime. The executor checks that the engine has it before it pulls an image.
         *
         * @param value {@code runc}, {@code runsc}, or {@code kata} or one of its variants
         * @return this builder
         * @throws IllegalArgumentException if it is none of these
         */
        public Builder runtime(String value) {
            wanted.runtime = ManagedSettings.requireRuntime(value);
            return this;
        }

        /**
         * Connects the container to one of the engine's networks, such as one that {@code docker network create} made,
         * on which it reaches other containers by name. The policy's network must be open.
         *
         * @param name the network's name; the engine's own bridge by default
         * @return this builder
         * @throws IllegalArgumentException if it is not a network name, or names the host's network
         */
        public Builder network(String name) {
            wanted.network = ExtraOptions.requireNetwork(name);
            return this;
        }

        /**
         * Sets the size of {@code /tmp}, and whether programs can be executed from it.
         *
         * @param bytes the size; 1 GiB by default
         * @param exec whether programs can be executed; true by default
         * @return this builder
         * @throws IllegalArgumentException if the size is not positive
         */
        public Builder tmp(long bytes, boolean exec) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("the size of /tmp is " + bytes + "; it must be positive");
            }
            wanted.tmpBytes = bytes;
            wanted.tmpExec = exec;
            return this;
        }

        /**
         * Lets commands change the image's files, as far as their user may. The changes are in the container's own
         * layer, which is removed with it; only the engine's disk bounds their size. Root's commands could then replace
         * the shell that ends commands: {@link Guarantee#TREE_KILL} is not claimed.
         *
         * @param writable false by default
         * @return this builder
         */
        public Builder writableRoot(boolean writable) {
            wanted.writableRoot = writable;
            return this;
        }

        /**
         * Runs each command in its own container, which is removed when the command has ended: only the worktree and
         * the mounts persist between commands. Each command pays for a container start.
         *
         * @return this builder
         */
        public Builder freshPerCommand() {
            wanted.freshPerCommand = true;
            return this;
        }

        /**
         * Adds options of {@code docker run} from an allowlist of harmless ones: resource limits beyond the policy's,
         * labels, further tmpfs mounts.
         *
         * @param words {@code --name=value}, or {@code --name} and {@code value}
         * @return this builder
         * @throws IllegalArgumentException for an option that is not on the list, a word that is no option, or a
         *     missing value
         */
        public Builder options(List<String> words) {
            ExtraOptions.parse(words);
            wanted.options.addAll(words);
            return this;
        }

        /**
         * Removes the attached container at disposal.
         *
         * @return this builder
         */
        public Builder removeOnDispose() {
            wanted.removeOnDispose = true;
            return this;
        }

        /**
         * Sets the engine's address, instead of that of the {@code docker} command's engine.
         *
         * @param host its address as in {@code DOCKER_HOST}: {@code unix:///path} or {@code tcp://host:port}
         * @return this builder
         */
        public Builder engine(String host) {
            wanted.engine = host;
            return this;
        }

        /**
         * Builds the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if neither or both of image and container are named, or an image without a
         *     worktree; or if the policy's network does not fit a given observer or approver
         * @throws dev.paddock.executor.SandboxUnavailableException if it must start eagerly and cannot
         * @throws dev.paddock.executor.UnsupportedPolicyException if a container cannot enforce the policy
         */
        public DockerExecutor build() {
            wanted.refuseFreshWith(isEager());
            DockerExecutor executor = new DockerExecutor(
                    source(),
                    wanted.freshPerCommand ? Optional.of(new FreshContainers(this::source)) : Optional.empty());
            if (isEager()) {
                executor.start();
            }
            return executor;
        }

        private RemoteProvider source() {
            return wanted.source(options());
        }

        /** Uses the engine of a probe, and its report for the first container. */
        void reported(EngineReport report) {
            wanted.report = report;
        }
    }
}
