package dev.paddock.executor.kubernetes;

import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodSpecification.WorktreeVolume;
import dev.paddock.executor.kubernetes.source.AttachedPodSource;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodSettings;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.remote.command.PlaceSource;
import dev.paddock.executor.sandbox.worktree.Quarantine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the options of a {@link KubernetesExecutor.Builder} and creates the {@link PlaceSource} that they
 * describe.
 */
final class KubernetesOptions {
    /** In place of a path of the node: the one that this machine has the worktree at. */
    static final String SAME_PATH = ".";

    private static final String WORK = "/work";

    final Map<String, String> environment = new LinkedHashMap<>();
    final List<String> pullSecrets = new ArrayList<>();
    final Map<String, String> nodeSelector = new LinkedHashMap<>();
    final Map<String, String> labels = new LinkedHashMap<>();

    @Nullable
    String image;

    @Nullable
    String pod;

    String container = "";

    @Nullable
    String namespace;

    @Nullable
    String context;

    @Nullable
    Path kubeconfig;

    @Nullable
    SandboxPolicy policy;

    @Nullable
    Path worktree;

    @Nullable
    String claim;

    @Nullable
    String volumePath;

    @Nullable
    String pullPolicy;

    @Nullable
    String runtimeClass;

    Duration startTimeout = Duration.ofMinutes(2);
    Duration deadline = Duration.ofHours(24);
    Consumer<String> progress = seen -> {};
    Path quarantine = Quarantine.standard();
    int warmSlots = WarmPool.Settings.DEFAULT_SIZE;

    Cluster cluster() {
        return Cluster.of(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    }

    PlaceSource source() {
        Cluster cluster = cluster();
        String attached = pod;
        String made = image;
        if ((attached == null) == (made == null)) {
            throw new IllegalArgumentException(
                    made == null
                            ? "the kubernetes executor needs an image or a pod: name one"
                            : "name an image or a pod, not both");
        }
        if (attached != null) {
            String in = namespace == null ? cluster.namespace() : namespace;
            return new AttachedPodSource(cluster, new PodName(in, attached, container), environment, warmSlots);
        }
        SandboxPolicy granted = granted();
        PodSettings settings = new PodSettings(
                String.valueOf(made),
                Optional.ofNullable(namespace),
                granted,
                volume(granted),
                Optional.ofNullable(pullPolicy),
                Optional.ofNullable(runtimeClass),
                List.copyOf(pullSecrets),
                Map.copyOf(nodeSelector),
                Map.copyOf(labels),
                startTimeout,
                deadline,
                quarantine,
                warmSlots,
                progress);
        return new ManagedPodSource(cluster, settings, HostEnvironment.variables());
    }

    private Optional<WorktreeVolume> volume(SandboxPolicy granted) {
        String path = volumePath;
        if (path == null) {
            return Optional.empty();
        }
        boolean same = claim == null && path.equals(SAME_PATH);
        return Optional.of(new WorktreeVolume(
                Optional.ofNullable(claim), same ? granted.worktree().hostPath().toString() : path));
    }

    private SandboxPolicy granted() {
        SandboxPolicy given = policy;
        if (given == null) {
            Path directory = worktree == null ? Path.of("/") : worktree.toAbsolutePath();
            given = SandboxPolicy.builder(new PathMapping(directory, WORK))
                    .network(NetworkPolicy.open())
                    .protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.BEST_EFFORT))
                    .build();
        } else if (worktree != null) {
            throw new IllegalArgumentException("the policy names the worktree already; leave the worktree out");
        }
        var variables = given.environment();
        for (Map.Entry<String, String> entry : environment.entrySet()) {
            variables = variables.with(entry.getKey(), entry.getValue());
        }
        return given.toBuilder().environment(variables).build();
    }
}
