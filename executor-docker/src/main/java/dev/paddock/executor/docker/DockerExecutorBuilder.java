package dev.paddock.executor.docker;

import dev.paddock.executor.docker.command.ContainerSource;
import dev.paddock.executor.docker.container.ExtraOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.AttachedContainerSource;
import dev.paddock.executor.docker.source.ManagedContainerSource;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.protect.Quarantine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects what a {@link DockerExecutor} is to be. Not safe for use by several threads.
 *
 * <p>Defaults: the engine that the {@code docker} command would use; an image is fetched if it is not there; commands run as
 * the owner of the worktree; the worktree stands at {@code /work}; the engine's default runtime; no further options; the
 * container is made when the first command comes.
 */
public final class DockerExecutorBuilder {
    private static final String DEFAULT_EXEC_CWD = "/work";
    private static final int DEFAULT_WARM_SLOTS = 2;
    private static final int MOST_WARM_SLOTS = 16;
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?");

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<String> options = new ArrayList<>();
    private @Nullable String image;
    private @Nullable String container;
    private @Nullable Path worktree;
    private @Nullable String execCwd;
    private @Nullable SandboxPolicy policy;
    private @Nullable String engine;
    private PullPolicy pullPolicy = PullPolicy.IF_NOT_PRESENT;
    private Consumer<PullProgress> progress = seen -> {};
    private String user = "auto";
    private @Nullable String runtime;
    private Path quarantine = Quarantine.standard();
    private int warmSlots = DEFAULT_WARM_SLOTS;
    private boolean eager;
    private boolean removeOnDispose;

    DockerExecutorBuilder() {}

    /**
     * Makes a container of an image.
     *
     * @param value the image, as {@code docker run} takes it; there is no default
     * @return this builder
     * @throws IllegalArgumentException if it is blank, or looks like an option
     */
    public DockerExecutorBuilder image(String value) {
        if (value.isBlank() || value.startsWith("-") || !value.equals(value.strip())) {
            throw new IllegalArgumentException("not an image's name: '" + value + "'");
        }
        image = value;
        return this;
    }

    /**
     * Attaches to a running container instead of making one.
     *
     * @param value its id or name
     * @return this builder
     * @throws IllegalArgumentException if it can be neither
     */
    public DockerExecutorBuilder container(String value) {
        if (!value.matches("[A-Za-z0-9][A-Za-z0-9_.-]*")) {
            throw new IllegalArgumentException("neither a container's id nor its name: '" + value + "'");
        }
        container = value;
        return this;
    }

    /**
     * Lays variables over the container's own environment, for each command.
     *
     * @param variables names and values; more than one call adds up
     * @return this builder
     */
    public DockerExecutorBuilder env(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    /**
     * The directory that commands work in. Required for an image, unless a policy says it.
     *
     * @param value a directory of the host
     * @return this builder
     */
    public DockerExecutorBuilder worktree(Path value) {
        worktree = value;
        return this;
    }

    /**
     * Where the worktree stands for commands.
     *
     * @param value an absolute path in the container; {@code /work} by default
     * @return this builder
     */
    public DockerExecutorBuilder execCwd(String value) {
        execCwd = value;
        return this;
    }

    /**
     * What the container grants. It names the worktree, under both its names.
     *
     * @param value the policy
     * @return this builder
     */
    public DockerExecutorBuilder policy(SandboxPolicy value) {
        policy = value;
        return this;
    }

    /**
     * Whether an image that is not there is fetched.
     *
     * @param value the rule
     * @return this builder
     */
    public DockerExecutorBuilder pullPolicy(PullPolicy value) {
        pullPolicy = value;
        return this;
    }

    /**
     * Listens to the fetching of the image.
     *
     * @param listener is called on the engine's thread; short
     * @return this builder
     */
    public DockerExecutorBuilder onPull(Consumer<PullProgress> listener) {
        progress = listener;
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
    public DockerExecutorBuilder user(String value) {
        if (!USER.matcher(value).matches()) {
            throw new IllegalArgumentException("not a user: '" + value + "'; write auto, image, UID:GID or a name");
        }
        user = value;
        return this;
    }

    /**
     * The OCI runtime. It is looked for before anything is fetched.
     *
     * @param value {@code runc}, {@code runsc}, or {@code kata} and its like
     * @return this builder
     * @throws IllegalArgumentException if it is none of these
     */
    public DockerExecutorBuilder runtime(String value) {
        if (!ManagedSettings.RUNTIMES.contains(value)) {
            throw new IllegalArgumentException(
                    "not a runtime: '" + value + "'; known are " + new java.util.TreeSet<>(ManagedSettings.RUNTIMES));
        }
        runtime = value;
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
    public DockerExecutorBuilder options(List<String> words) {
        ExtraOptions.parse(words);
        options.addAll(words);
        return this;
    }

    /**
     * Where files go that commands have put at protected paths.
     *
     * @param value a directory out of the commands' reach, made when it is needed; {@code $XDG_STATE_HOME/paddock/quarantine} by
     *     default
     * @return this builder
     */
    public DockerExecutorBuilder quarantine(Path value) {
        quarantine = value;
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
    public DockerExecutorBuilder warmSlots(int value) {
        if (value < 0 || value > MOST_WARM_SLOTS) {
            throw new IllegalArgumentException("not a number of slots from 0 to " + MOST_WARM_SLOTS + ": " + value);
        }
        warmSlots = value;
        return this;
    }

    /**
     * Makes the container now, and not when the first command comes.
     *
     * @return this builder
     */
    public DockerExecutorBuilder eager() {
        eager = true;
        return this;
    }

    /**
     * Removes the container that was attached to, at disposal.
     *
     * @return this builder
     */
    public DockerExecutorBuilder removeOnDispose() {
        removeOnDispose = true;
        return this;
    }

    /**
     * Another engine than the {@code docker} command's.
     *
     * @param host its address as {@code DOCKER_HOST} has it: {@code unix:///path} or {@code tcp://host:port}
     * @return this builder
     */
    public DockerExecutorBuilder engine(String host) {
        engine = host;
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
        Engine at = engine == null ? Engine.ofEnvironment() : Engine.at(engine);
        String attached = container;
        String made = image;
        if (attached != null && made == null) {
            String whom = user.equals("auto") || user.equals("image") ? "" : user;
            return new AttachedContainerSource(at, attached, environment, whom, removeOnDispose, warmSlots);
        }
        if (made == null || attached != null) {
            throw new IllegalArgumentException(
                    made == null ? "name an image or a container" : "name an image or a container, not both");
        }
        SandboxPolicy granted = granted();
        ManagedSettings settings = new ManagedSettings(
                made,
                granted,
                pullPolicy == PullPolicy.IF_NOT_PRESENT,
                user.equals("auto")
                        ? ManagedSettings.ownerOf(granted.worktree().hostPath())
                        : user.equals("image") ? "" : user,
                Optional.ofNullable(runtime),
                ExtraOptions.parse(options),
                quarantine,
                warmSlots,
                (name, layersDone, layers, bytesDone, bytes) ->
                        progress.accept(new PullProgress(name, layersDone, layers, bytesDone, bytes)));
        return new ManagedContainerSource(at, settings, HostEnvironment.variables());
    }

    private SandboxPolicy granted() {
        SandboxPolicy given = policy;
        if (given == null) {
            Path directory = worktree;
            if (directory == null) {
                throw new IllegalArgumentException("a container of an image needs a worktree");
            }
            given = SandboxPolicy.builder(
                            new PathMapping(real(directory), execCwd == null ? DEFAULT_EXEC_CWD : execCwd))
                    .build();
        } else if (worktree != null || execCwd != null) {
            throw new IllegalArgumentException("the policy names the worktree already; leave worktree and execCwd out");
        }
        if (environment.isEmpty()) {
            return given;
        }
        var variables = given.environment();
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            variables = variables.with(entry.getKey(), entry.getValue());
        }
        return new SandboxPolicy(
                given.worktree(), given.mounts(), given.protectedPaths(), given.network(), given.limits(), variables);
    }

    private static Path real(Path directory) {
        try {
            Path path = directory.toRealPath();
            if (!Files.isDirectory(path)) {
                throw new IllegalArgumentException("the worktree is no directory: '" + directory + "'");
            }
            return path;
        } catch (IOException fault) {
            throw new IllegalArgumentException("the worktree does not exist: '" + directory + "'", fault);
        }
    }
}
