package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Progress;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodSpecification.WorktreeVolume;
import dev.paddock.executor.kubernetes.source.AttachedPodSource;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodBounds;
import dev.paddock.executor.kubernetes.source.PodFiles;
import dev.paddock.executor.kubernetes.source.PodSettings;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.warm.WarmPool;
import dev.paddock.executor.remote.command.PlaceSource;
import dev.paddock.executor.remote.files.FetchLimits;
import dev.paddock.executor.remote.files.SyncSettings;
import dev.paddock.executor.remote.files.SyncedFiles;
import dev.paddock.executor.worktree.Quarantine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the options of a {@link KubernetesExecutor.Builder} and creates the parts of the executor that
 * they describe.
 */
final class KubernetesOptions {
    /** Stands for a path of the node that equals the worktree's path on this machine. */
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
    String remoteDirectory;

    boolean hasWorktree = true;

    @Nullable
    String pullPolicy;

    @Nullable
    String runtimeClass;

    PodBounds bounds = PodBounds.STANDARD;
    Consumer<String> progress = seen -> {};
    Consumer<Progress> transfer = step -> progress.accept(step.task() + ": " + step.detail());
    Path quarantine = Quarantine.standard();
    FetchLimits limits = FetchLimits.STANDARD;
    int warmSlots = WarmPool.Settings.DEFAULT_SIZE;

    Cluster cluster() {
        return Cluster.of(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    }

    /**
     * The parts of an executor.
     *
     * @param files synchronize the worktree around commands; closed with the source
     * @param mustStart whether a pod must prove at once that it enforces the policy
     */
    record Parts(PlaceSource source, Optional<SyncedFiles> files, boolean mustStart) {
        static Parts of(PlaceSource source, Optional<PodFiles> files, boolean mustStart) {
            return new Parts(source, files.map(PodFiles::synced), mustStart);
        }
    }

    Parts parts() {
        Cluster cluster = cluster();
        String attached = pod;
        String made = image;
        if ((attached == null) == (made == null)) {
            throw new IllegalArgumentException(
                    made == null
                            ? "the kubernetes executor needs an image or a pod: name one"
                            : "name an image or a pod, not both");
        }
        return attached == null ? managed(cluster, String.valueOf(made)) : attached(cluster, attached);
    }

    private Parts attached(Cluster cluster, String name) {
        String in = namespace == null ? cluster.namespace() : namespace;
        Optional<PodFiles> files = Optional.ofNullable(remoteDirectory).map(this::attachedFiles);
        return Parts.of(
                new AttachedPodSource(cluster, new PodName(in, name, container), environment, files, warmSlots),
                files,
                false);
    }

    private PodFiles attachedFiles(String directory) {
        SandboxPolicy given = policy;
        if (given == null && worktree == null) {
            throw new IllegalArgumentException("the directory '" + directory
                    + "' of the pod is synchronized with a worktree: name that, too, or leave the directory out");
        }
        if (volumePath != null) {
            throw new IllegalArgumentException("a worktree is either synchronized with a directory of the pod or shared"
                    + " by a volume, not both: leave out the directory '" + directory + "' or the volume");
        }
        SandboxPolicy granted = granted();
        return PodFiles.over(
                synchronization(new PathMapping(granted.worktree().hostPath(), directory), granted.protectedPaths()));
    }

    private SyncSettings synchronization(PathMapping mapping, ProtectedPaths names) {
        return new SyncSettings(mapping, "", names, quarantine, transfer, limits);
    }

    private Parts managed(Cluster cluster, String made) {
        if (remoteDirectory != null) {
            throw new IllegalArgumentException("a pod of the executor's own has the worktree where the policy has it:"
                    + " name the directory '" + remoteDirectory + "' only for a pod that runs already");
        }
        if (!hasWorktree && volumePath != null) {
            throw new IllegalArgumentException("a volume for the worktree and no worktree are both set: leave one out");
        }
        SandboxPolicy granted = granted();
        PodSettings settings = new PodSettings(
                made,
                Optional.ofNullable(namespace),
                granted,
                volume(granted),
                hasWorktree && volumePath == null && (policy != null || worktree != null),
                Optional.ofNullable(pullPolicy),
                Optional.ofNullable(runtimeClass),
                List.copyOf(pullSecrets),
                Map.copyOf(nodeSelector),
                Map.copyOf(labels),
                bounds,
                quarantine,
                warmSlots,
                progress);
        ManagedPodSource.require(settings);
        Optional<PodFiles> files = settings.isSynchronized()
                ? Optional.of(PodFiles.over(synchronization(granted.worktree(), granted.protectedPaths())))
                : Optional.empty();
        return Parts.of(
                new ManagedPodSource(cluster, settings, files, ClusterEnvironment.variables()),
                files,
                settings.isNetworkOff());
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
