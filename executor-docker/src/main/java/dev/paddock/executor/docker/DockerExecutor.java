package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.ExtraOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Runs commands in a Docker container: one that runs already, or one of its own.
 *
 * <p>Attached to a container, it never removes it unless {@linkplain Builder#removeOnDispose() asked to}, and
 * guarantees what the container's configuration does. With an image, it makes a container when the first command comes, and
 * removes it at disposal; the container ends with the JVM, however that ends.
 *
 * <p>Nothing is required of an image but a shell named {@code sh}. Where 128 + n is reported for death by signal n, an exit
 * code of 128 + n reads the same: {@link Guarantee#EXACT_STATUS} is not claimed.
 *
 * <p>A variable that some shell would change on the way to the command ({@code RANDOM}, {@code LINENO} and their like) is
 * refused with a {@link dev.paddock.executor.SpawnException}.
 *
 * <p>The engine is the one that the {@code docker} command would use: {@code DOCKER_HOST} and its like, the current context,
 * or the default socket; unix sockets, TCP and TLS.
 */
public final class DockerExecutor implements CommandExecutor {
    private final DockerCommands commands;

    /**
     * Attaches to a running container. The engine is asked when the first command comes.
     *
     * @param containerId its id or name; it is never removed
     */
    public DockerExecutor(String containerId) {
        this(containerId, Map.of());
    }

    /**
     * Attaches to a running container.
     *
     * @param containerId its id or name; it is never removed
     * @param env laid over the container's own environment for each command
     */
    public DockerExecutor(String containerId, Map<String, String> env) {
        this(builder().container(containerId).env(env).place());
    }

    DockerExecutor(ContainerSource place) {
        commands = new DockerCommands(place);
    }

    /**
     * A builder with the defaults.
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
     * What the container enforces. Attached to a container, the engine is asked for its configuration, once.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the engine or the container is not there
     */
    @Override
    public Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        commands.dispose();
    }

    /**
     * Which container the commands run in, for the engine's own tools. It stays the executor's.
     *
     * @return the engine's id of it; empty before there is one
     */
    public Optional<String> containerId() {
        return commands.containerId();
    }

    /** Makes the container ready for the first command. */
    void start() {
        commands.start();
    }

    int waitingSlots() {
        return commands.waitingSlots();
    }

    /**
     * Collects what an executor is made of. Not safe for use by several threads.
     *
     * <p>Defaults: the engine that the {@code docker} command would use; an image is fetched if it is not there; commands run as
     * the owner of the worktree; the worktree stands at {@code /work}; the engine's default runtime; no further options; the
     * container is made when the first command comes.
     */
    public static final class Builder {
        private static final int MOST_WARM_SLOTS = 16;
        private static final Pattern USER =
                Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?");

        private final DockerOptions wanted = new DockerOptions();
        private boolean eager;

        private Builder() {}

        /**
         * Makes a container of an image.
         *
         * @param value the image, as {@code docker run} takes it; there is no default
         * @return this builder
         * @throws IllegalArgumentException if it is blank, or looks like an option
         */
        public Builder image(String value) {
            if (value.isBlank() || value.startsWith("-") || !value.equals(value.strip())) {
                throw new IllegalArgumentException("not an image's name: '" + value + "'");
            }
            wanted.image = value;
            return this;
        }

        /**
         * Attaches to a running container instead of making one.
         *
         * @param value its id or name
         * @return this builder
         * @throws IllegalArgumentException if it can be neither
         */
        public Builder container(String value) {
            if (!value.matches("[A-Za-z0-9][A-Za-z0-9_.-]*")) {
                throw new IllegalArgumentException("neither a container's id nor its name: '" + value + "'");
            }
            wanted.container = value;
            return this;
        }

        /**
         * Lays a variable over the container's own environment, for each command.
         *
         * @param name its name
         * @param value its value
         * @return this builder
         */
        public Builder env(String name, String value) {
            wanted.environment.put(name, value);
            return this;
        }

        /**
         * Lays variables over the container's own environment, for each command.
         *
         * @param variables names and values; more than one call adds up
         * @return this builder
         */
        public Builder env(Map<String, String> variables) {
            wanted.environment.putAll(variables);
            return this;
        }

        /**
         * The directory that commands work in. Required for an image, unless a policy says it.
         *
         * @param value a directory of the host
         * @return this builder
         */
        public Builder worktree(Path value) {
            wanted.worktree = value;
            return this;
        }

        /**
         * Where the worktree stands for commands.
         *
         * @param value an absolute path in the container; {@code /work} by default
         * @return this builder
         */
        public Builder execCwd(String value) {
            wanted.execCwd = value;
            return this;
        }

        /**
         * What the container grants. It names the worktree, under both its names.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder policy(SandboxPolicy value) {
            wanted.policy = value;
            return this;
        }

        /**
         * Whether an image that is not there is fetched.
         *
         * @param value the rule
         * @return this builder
         */
        public Builder pullPolicy(PullPolicy value) {
            wanted.pullPolicy = value;
            return this;
        }

        /**
         * Listens to the fetching of the image.
         *
         * @param listener is called on the engine's thread; short
         * @return this builder
         */
        public Builder onPull(Consumer<PullProgress> listener) {
            wanted.progress = listener;
            return this;
        }

        /**
         * Whom commands run as.
         *
         * @param value {@code auto} for the owner of the worktree (for the container's own user when attached), {@code image} for
         *     the image's, or {@code UID[:GID]} or a name of the image
         * @return this builder
         * @throws IllegalArgumentException if it is none of these
         */
        public Builder user(String value) {
            if (!USER.matcher(value).matches()) {
                throw new IllegalArgumentException("not a user: '" + value + "'; write auto, image, UID:GID or a name");
            }
            wanted.user = value;
            return this;
        }

        /**
         * The OCI runtime. It is looked for before anything is fetched.
         *
         * @param value {@code runc}, {@code runsc}, or {@code kata} and its like
         * @return this builder
         * @throws IllegalArgumentException if it is none of these
         */
        public Builder runtime(String value) {
            if (!ManagedSettings.RUNTIMES.contains(value)) {
                throw new IllegalArgumentException(
                        "not a runtime: '" + value + "'; known are " + new TreeSet<>(ManagedSettings.RUNTIMES));
            }
            wanted.runtime = value;
            return this;
        }

        /**
         * Adds options of {@code docker run} from a list of harmless ones: resource limits beyond the policy's, labels, further
         * file systems in memory.
         *
         * @param words {@code --name=value}, or {@code --name} and {@code value}
         * @return this builder
         * @throws IllegalArgumentException for an option that is not on the list, a word that is no option, or a missing value
         */
        public Builder options(List<String> words) {
            ExtraOptions.parse(words);
            wanted.options.addAll(words);
            return this;
        }

        /**
         * Where files go that commands have put at protected paths.
         *
         * @param value a directory out of the commands' reach, made when it is needed; {@code $XDG_STATE_HOME/paddock/quarantine} by
         *     default
         * @return this builder
         */
        public Builder quarantine(Path value) {
            wanted.quarantine = value;
            return this;
        }

        /**
         * How many places for commands are kept prepared, so that a command need not wait for the engine. Each is two or three
         * processes inside.
         *
         * @param value from 0, for none, to 16; 2 by default
         * @return this builder
         * @throws IllegalArgumentException if it is out of range
         */
        public Builder warmSlots(int value) {
            if (value < 0 || value > MOST_WARM_SLOTS) {
                throw new IllegalArgumentException("not a number of slots from 0 to " + MOST_WARM_SLOTS + ": " + value);
            }
            wanted.warmSlots = value;
            return this;
        }

        /**
         * Makes the container now, and not when the first command comes.
         *
         * @return this builder
         */
        public Builder eager() {
            eager = true;
            return this;
        }

        /**
         * Removes the container that was attached to, at disposal.
         *
         * @return this builder
         */
        public Builder removeOnDispose() {
            wanted.removeOnDispose = true;
            return this;
        }

        /**
         * Another engine than the {@code docker} command's.
         *
         * @param host its address as {@code DOCKER_HOST} has it: {@code unix:///path} or {@code tcp://host:port}
         * @return this builder
         */
        public Builder engine(String host) {
            wanted.engine = host;
            return this;
        }

        /**
         * Makes the executor.
         *
         * @return the executor; the caller disposes of it
         * @throws IllegalArgumentException if neither an image nor a container was named, or both, or an image without a worktree
         * @throws dev.paddock.executor.SandboxUnavailableException if it was to be started eagerly and cannot be
         * @throws dev.paddock.executor.UnsupportedPolicyException if a container cannot keep the policy
         */
        public DockerExecutor build() {
            DockerExecutor executor = new DockerExecutor(place());
            if (eager) {
                try {
                    executor.start();
                } catch (RuntimeException fault) {
                    executor.dispose();
                    throw fault;
                }
            }
            return executor;
        }

        ContainerSource place() {
            return wanted.place();
        }
    }
}
