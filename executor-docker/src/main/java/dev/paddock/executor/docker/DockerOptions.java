package dev.paddock.executor.docker;

import dev.paddock.executor.Progress;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.ExtraOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.AttachedContainerSource;
import dev.paddock.executor.docker.source.EngineReport;
import dev.paddock.executor.docker.source.ManagedContainerSource;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.network.ConnectionOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.remote.builder.RemoteOptions;
import dev.paddock.executor.remote.command.RemoteProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Holds the options of a {@link DockerExecutor.Builder} and creates the {@link RemoteProvider} that they describe. */
final class DockerOptions {
    private static final String DEFAULT_EXEC_CWD = "/work";
    private static final Pattern CONTAINER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*(:[A-Za-z0-9_][A-Za-z0-9_.-]*)?");

    final List<String> options = new ArrayList<>();
    final ConnectionOptions connections = new ConnectionOptions();

    @Nullable
    String container;

    @Nullable
    String execCwd;

    @Nullable
    String engine;

    /** The report of a probed engine, used if no engine is named. */
    @Nullable
    EngineReport report;

    PullPolicy pullPolicy = PullPolicy.IF_NOT_PRESENT;
    Consumer<Progress> progress = seen -> {};
    String user = "auto";

    @Nullable
    String runtime;

    @Nullable
    String network;

    long tmpBytes = ContainerSpec.TMPFS_BYTES;
    boolean tmpExec = true;
    boolean writableRoot;
    boolean freshPerCommand;
    boolean removeOnDispose;

    static String requireContainer(String value) {
        if (!CONTAINER.matcher(value).matches()) {
            throw new IllegalArgumentException("not a container id or name: '" + value + "'");
        }
        return value;
    }

    static String requireUser(String value) {
        if (!USER.matcher(value).matches()) {
            throw new IllegalArgumentException("not a user: '" + value + "'; write auto, image, UID:GID or a name");
        }
        return value;
    }

    /** Refuses a container per command, if one is named or created before the first. */
    void refuseFreshWith(boolean isEager) {
        if (freshPerCommand && (container != null || isEager)) {
            throw new IllegalArgumentException(
                    "freshPerCommand creates a container for each command: name an image and no container, and leave"
                            + " eager out");
        }
    }

    RemoteProvider source(RemoteOptions shared) {
        Optional<EngineReport> probed = Optional.ofNullable(engine == null ? report : null);
        Engine at = probed.map(EngineReport::engine)
                .orElseGet(() -> engine == null ? Engine.ofEnvironment() : Engine.at(engine));
        String attached = container;
        String made = shared.image().orElse(null);
        if (attached != null && made == null) {
            requireNoObserver(attached);
            requireNoSpecification(attached, shared);
            String commandUser = user.equals("auto") || user.equals("image") ? "" : user;
            return new AttachedContainerSource(
                    at, attached, shared.environment(), commandUser, removeOnDispose, shared.warmSlots());
        }
        if (made == null || attached != null) {
            throw new IllegalArgumentException(
                    made == null
                            ? "the docker executor needs an image or a container: name one, by --image or --container"
                                    + " on the command line"
                            : "name an image or a container, not both");
        }
        SandboxPolicy granted = granted(shared);
        ManagedSettings settings = new ManagedSettings(
                made,
                granted,
                pullPolicy == PullPolicy.IF_NOT_PRESENT,
                user.equals("auto")
                        ? ManagedSettings.ownerOf(granted.worktree().hostPath())
                        : user.equals("image") ? "" : user,
                Optional.ofNullable(runtime),
                ExtraOptions.parse(options)
                        .withNetwork(Optional.ofNullable(network))
                        .withTmp(tmpBytes, tmpExec)
                        .withWritableRoot(writableRoot),
                shared.quarantine(),
                freshPerCommand ? 0 : shared.warmSlots(),
                (name, layersDone, layers, bytesDone, bytes) ->
                        progress.accept(new PullProgress(name, layersDone, layers, bytesDone, bytes).toProgress()));
        return new ManagedContainerSource(at, probed, settings, connections.of(granted), CallerEnvironment.variables());
    }

    /** Refuses options that apply only to a container that the executor creates. */
    private void requireNoSpecification(String attached, RemoteOptions shared) {
        String runs = "the container '" + attached + "' runs already, ";
        if (shared.hasWorktree()) {
            throw new IllegalArgumentException(
                    runs + "with what it grants: leave the policy and the worktree out, or name an image");
        }
        if (shared.isQuarantineNamed()) {
            throw new IllegalArgumentException(
                    runs + "and nothing settles its files: leave the quarantine out, or name an image");
        }
        if (network != null || tmpBytes != ContainerSpec.TMPFS_BYTES || !tmpExec || writableRoot) {
            throw new IllegalArgumentException(
                    runs + "with its network, its /tmp and its root: leave these settings out, or name an image");
        }
        if (runtime != null || !options.isEmpty() || execCwd != null || pullPolicy != PullPolicy.IF_NOT_PRESENT) {
            throw new IllegalArgumentException(runs
                    + "by its image's runtime and options: leave the runtime, the options, the pull policy and execCwd"
                    + " out, or name an image");
        }
    }

    /** Refuses an observer: the executor relays no connections of a container that it has not created. */
    private void requireNoObserver(String attached) {
        if (!connections.isEmpty()) {
            throw new IllegalArgumentException("onConnection and approveHosts need a container that the executor"
                    + " creates: name an image, not the container '" + attached + "', or leave them out");
        }
    }

    private SandboxPolicy granted(RemoteOptions shared) {
        if (shared.policy().isPresent() && execCwd != null) {
            throw new IllegalArgumentException("the policy names the worktree already; leave execCwd out");
        }
        return shared.granted(() -> {
            Path directory = shared.worktree()
                    .orElseThrow(() -> new IllegalArgumentException("a container of an image needs a worktree"));
            return SandboxPolicy.builder(new PathMapping(real(directory), execCwd == null ? DEFAULT_EXEC_CWD : execCwd))
                    .build();
        });
    }

    private static Path real(Path directory) {
        try {
            Path path = directory.toRealPath();
            if (!Files.isDirectory(path)) {
                throw new IllegalArgumentException("the worktree is not a directory: '" + directory + "'");
            }
            return path;
        } catch (IOException fault) {
            throw new IllegalArgumentException("the worktree does not exist: '" + directory + "'", fault);
        }
    }
}
