package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Availability;
import dev.paddock.executor.Progress;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodSpecification.WorktreeVolume;
import dev.paddock.executor.kubernetes.cluster.Readiness;
import dev.paddock.executor.kubernetes.source.AttachedPodSource;
import dev.paddock.executor.kubernetes.source.KeptSandbox;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodBounds;
import dev.paddock.executor.kubernetes.source.PodFiles;
import dev.paddock.executor.kubernetes.source.PodPolicyCheck;
import dev.paddock.executor.kubernetes.source.PodSettings;
import dev.paddock.executor.kubernetes.source.SandboxSettings;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.remote.builder.RemoteOptions;
import dev.paddock.executor.remote.command.RemoteProvider;
import dev.paddock.executor.remote.command.WorktreeProtection;
import dev.paddock.executor.remote.files.FetchLimits;
import dev.paddock.executor.remote.files.SyncSettings;
import dev.paddock.executor.remote.files.SyncedFiles;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Holds the options of a {@link KubernetesExecutorBuilder} and creates the executor's parts. */
final class KubernetesOptions {
    /** Represents a path of the node that equals the worktree's path on this machine. */
    static final String SAME_PATH = ".";

    private static final String WORK = "/work";

    final List<String> pullSecrets = new ArrayList<>();
    final Map<String, String> nodeSelector = new LinkedHashMap<>();
    final Map<String, String> labels = new LinkedHashMap<>();

    @Nullable
    String pod;

    @Nullable
    String template;

    @Nullable
    String claimName;

    @Nullable
    String sandbox;

    String container = "";

    @Nullable
    String namespace;

    @Nullable
    String context;

    @Nullable
    Path kubeconfig;

    @Nullable
    String volumeClaim;

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
    FetchLimits limits = FetchLimits.STANDARD;

    Cluster cluster() {
        return Cluster.of(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
    }

    /**
     * The parts of an executor.
     *
     * @param files synchronize the worktree around commands; closed with the source
     * @param mustStart whether a pod must prove at once that it enforces the policy
     */
    record Parts(RemoteProvider source, Optional<SyncedFiles> files, boolean mustStart) {
        static Parts of(RemoteProvider source, Optional<PodFiles> files, boolean mustStart) {
            return new Parts(source, files.map(PodFiles::synced), mustStart);
        }
    }

    Parts parts(RemoteOptions shared) {
        String image = shared.image().orElse(null);
        List<String> origins = origins(image);
        if (origins.size() != 1) {
            throw new IllegalArgumentException(
                    origins.isEmpty()
                            ? "the kubernetes executor needs an image, a pod, a claim or a sandbox: name one"
                            : "commands run in one pod: give one of " + String.join(", ", origins));
        }
        Cluster cluster = cluster();
        if (image != null) {
            return managed(cluster, image, shared);
        }
        return pod == null ? sandboxed(cluster, origin(), shared) : attached(cluster, pod, shared);
    }

    /** Returns all options that name the pod's origin, for messages. */
    private List<String> origins(@Nullable String image) {
        List<String> named = new ArrayList<>();
        name(named, "image", image);
        name(named, "pod", pod);
        name(named, "claim", template);
        name(named, "sandbox", sandbox);
        return named;
    }

    private static void name(List<String> named, String what, @Nullable String name) {
        if (name != null) {
            named.add("the " + what + " '" + name + "'");
        }
    }

    private SandboxSettings.Origin origin() {
        return sandbox == null
                ? SandboxSettings.Origin.claim(String.valueOf(template), Optional.ofNullable(claimName))
                : SandboxSettings.Origin.existing(sandbox);
    }

    private Parts attached(Cluster cluster, String name, RemoteOptions shared) {
        if (remoteDirectory == null && (shared.hasWorktree() || shared.isQuarantineNamed())) {
            throw new IllegalArgumentException(
                    "the pod '" + name + "' runs already, with what it grants: leave the policy, the worktree and the"
                            + " quarantine out, or name the directory that the worktree is synchronized with"
                            + " (remoteDirectory)");
        }
        String in = namespace == null ? cluster.namespace() : namespace;
        Optional<PodFiles> files = Optional.ofNullable(remoteDirectory).map(path -> attachedFiles(path, shared));
        return Parts.of(
                AttachedPodSource.of(
                        cluster, new PodName(in, name, container), shared.environment(), files, shared.warmSlots()),
                files,
                false);
    }

    /** Returns the sandbox of the kept claim; empty if none is named. */
    Optional<KeptSandbox> kept() {
        return claimName == null || template == null
                ? Optional.empty()
                : Optional.of(KeptSandbox.of(cluster(), settings(origin(), ResourceLimits.none())));
    }

    Availability readiness() {
        try (Cluster cluster = cluster()) {
            return Readiness.of(cluster, Optional.ofNullable(namespace), String.valueOf(template));
        }
    }

    private SandboxSettings settings(SandboxSettings.Origin origin, ResourceLimits limits) {
        return new SandboxSettings(origin, Optional.ofNullable(namespace), container, limits, bounds, progress);
    }

    private Parts sandboxed(Cluster cluster, SandboxSettings.Origin origin, RemoteOptions shared) {
        requireNoSpecification();
        boolean isClaim = origin.template().isPresent();
        if (isClaim) {
            requireOwnWorktree();
        }
        boolean isSynchronized = isClaim ? hasWorktree && shared.hasWorktree() : remoteDirectory != null;
        SandboxPolicy granted = granted(shared);
        PolicyCheck check = PodPolicyCheck.sandbox(granted, isSynchronized);
        (isSynchronized ? check.apartFrom(WorktreeProtection.stateDirectory(), shared.quarantine()) : check).require();
        Optional<PodFiles> files = Optional.empty();
        if (isSynchronized) {
            files = Optional.of(
                    isClaim
                            ? PodFiles.over(synchronization(granted.worktree(), granted.protectedPaths(), shared))
                            : attachedFiles(String.valueOf(remoteDirectory), shared));
        }
        ResourceLimits limits = granted.limits();
        return Parts.of(
                AttachedPodSource.of(
                        cluster,
                        settings(origin, limits),
                        granted.environment().resolve(CallerEnvironment.variables()),
                        files,
                        shared.warmSlots()),
                files,
                limits.demand() == Enforcement.REQUIRED
                        && (limits.memoryBytes().isPresent() || limits.cpus().isPresent()));
    }

    private void requireNoSpecification() {
        if (volumePath != null
                || pullPolicy != null
                || runtimeClass != null
                || !pullSecrets.isEmpty()
                || !nodeSelector.isEmpty()
                || !labels.isEmpty()) {
            throw new IllegalArgumentException(
                    "the template of a sandbox specifies its pod: leave out the volume, the"
                            + " pull policy and secrets, the runtime class, the node selector and the labels, or name an image");
        }
    }

    private void requireOwnWorktree() {
        if (remoteDirectory != null) {
            throw new IllegalArgumentException("a pod of the executor's own has the worktree where the policy has it:"
                    + " name the directory '" + remoteDirectory + "' only for a pod that runs already");
        }
    }

    private PodFiles attachedFiles(String directory, RemoteOptions shared) {
        if (!shared.hasWorktree()) {
            throw new IllegalArgumentException("the directory '" + directory
                    + "' of the pod is synchronized with a worktree: name that, too, or leave the directory out");
        }
        if (volumePath != null) {
            throw new IllegalArgumentException("a worktree is either synchronized with a directory of the pod or shared"
                    + " by a volume, not both: leave out the directory '" + directory + "' or the volume");
        }
        SandboxPolicy granted = granted(shared);
        return PodFiles.over(synchronization(
                new PathMapping(granted.worktree().hostPath(), directory), granted.protectedPaths(), shared));
    }

    private SyncSettings synchronization(PathMapping mapping, ProtectedPaths names, RemoteOptions shared) {
        return new SyncSettings(mapping, "", names, shared.quarantine(), transfer, limits);
    }

    private Parts managed(Cluster cluster, String made, RemoteOptions shared) {
        requireOwnWorktree();
        if (!hasWorktree && volumePath != null) {
            throw new IllegalArgumentException("a volume for the worktree and no worktree are both set: leave one out");
        }
        SandboxPolicy granted = granted(shared);
        PodSettings settings = new PodSettings(
                made,
                Optional.ofNullable(namespace),
                granted,
                volume(granted),
                hasWorktree && volumePath == null && shared.hasWorktree(),
                Optional.ofNullable(pullPolicy),
                Optional.ofNullable(runtimeClass),
                List.copyOf(pullSecrets),
                Map.copyOf(nodeSelector),
                Map.copyOf(labels),
                bounds,
                shared.quarantine(),
                shared.warmSlots(),
                progress);
        ManagedPodSource.require(settings);
        Optional<PodFiles> files = settings.isSynchronized()
                ? Optional.of(PodFiles.over(synchronization(granted.worktree(), granted.protectedPaths(), shared)))
                : Optional.empty();
        return Parts.of(
                new ManagedPodSource(cluster, settings, files, CallerEnvironment.variables()),
                files,
                settings.isNetworkOff());
    }

    private Optional<WorktreeVolume> volume(SandboxPolicy granted) {
        String path = volumePath;
        if (path == null) {
            return Optional.empty();
        }
        boolean same = volumeClaim == null && path.equals(SAME_PATH);
        return Optional.of(new WorktreeVolume(
                Optional.ofNullable(volumeClaim),
                same ? granted.worktree().hostPath().toString() : path));
    }

    private static SandboxPolicy granted(RemoteOptions shared) {
        Path directory = shared.worktree().orElse(Path.of("/")).toAbsolutePath();
        return shared.granted(() -> SandboxPolicy.builder(new PathMapping(directory, WORK))
                .network(NetworkPolicy.open())
                .protectedPaths(ProtectedPaths.standard().withDemand(Enforcement.BEST_EFFORT))
                .build());
    }
}
