package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodPolicyCheck;
import dev.paddock.executor.kubernetes.source.PodSweep;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.state.PrivateState;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import dev.paddock.executor.upkeep.BackendUpkeep;
import dev.paddock.executor.upkeep.SweepMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Provides Kubernetes as a backend: {@code "kubernetes"}.
 *
 * <p>Settings: {@code image} or {@code pod}, exactly one of them; {@code container}, {@code namespace}, {@code
 * context}, {@code kubeconfig}, {@code pull} ({@code Always}, {@code IfNotPresent}, {@code Never}), {@code
 * runtimeClass}, {@code quarantine}, {@code warmSlots} (a number), {@code maxFetch} (MiB), {@code
 * fetchTimeout} (seconds). The worktree: {@code files}, {@code sync} (the
 * default with an image) or {@code none}; or {@code worktreeClaim} and {@code worktreePath} (in the claim, or of the
 * node), which share it; with a pod {@code remoteDirectory}, an absolute path, without which nothing is synchronized.
 * {@code auto} never selects this backend.
 *
 * @since 0.1
 */
@SuppressWarnings("exports") // the command line alone uses its upkeep
public final class KubernetesProvider implements ExecutorProvider, BackendUpkeep {
    private static final String POD = "pod";
    private static final String REMOTE_DIRECTORY = "remoteDirectory";
    private static final String WORKTREE_CLAIM = "worktreeClaim";
    private static final String WORKTREE_PATH = "worktreePath";

    /** In a nested class, since every start of a program loads all providers. */
    private static final class Table {
        /** The claim and the path are read together, after the others. */
        private static final ProviderSettings<KubernetesExecutor.Builder> SETTINGS =
                ProviderSettings.<KubernetesExecutor.Builder>of(Cluster.BACKEND)
                        .with("image", KubernetesExecutor.Builder::image)
                        .with(POD, KubernetesExecutor.Builder::pod)
                        .with("container", KubernetesExecutor.Builder::container)
                        .with("namespace", KubernetesExecutor.Builder::namespace)
                        .with("context", KubernetesExecutor.Builder::context)
                        .with("kubeconfig", (builder, value) -> builder.kubeconfig(Path.of(value)))
                        .with("pull", KubernetesExecutor.Builder::pullPolicy)
                        .with("runtimeClass", KubernetesExecutor.Builder::runtimeClass)
                        .with("files", KubernetesProvider::files)
                        .with(REMOTE_DIRECTORY, KubernetesExecutor.Builder::remoteDirectory)
                        .with(WORKTREE_CLAIM, (builder, value) -> {})
                        .with(WORKTREE_PATH, (builder, value) -> {})
                        .with("quarantine", (builder, value) -> builder.quarantine(Path.of(value)))
                        .with(
                                "warmSlots",
                                (builder, value) -> builder.warmSlots(ProviderSettings.wholeNumber("warmSlots", value)))
                        .with(
                                "maxFetch",
                                (builder, value) ->
                                        builder.maxFetch((long) ProviderSettings.wholeNumber("maxFetch", value) << 20))
                        .with(
                                "fetchTimeout",
                                (builder, value) -> builder.fetchTimeout(
                                        Duration.ofSeconds(ProviderSettings.wholeNumber("fetchTimeout", value))));

        private Table() {}
    }

    /** Creates the provider; called by the service loader. */
    public KubernetesProvider() {}

    @Override
    public String name() {
        return Cluster.BACKEND;
    }

    @Override
    public Availability probe() {
        try (Cluster cluster = Cluster.of(Optional.empty(), Optional.empty())) {
            return new Availability.Usable(
                    "Kubernetes " + cluster.version() + " at " + cluster.where(), ManagedPodSource.kept(true));
        } catch (SandboxUnavailableException absent) {
            return new Availability.Unusable(absent.reason(), absent.remedy(), absent.isTransient());
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        SandboxPolicy policy = options.policy();
        Map<String, String> settings = options.settings();
        Consumer<Progress> progress = options.progress();
        KubernetesExecutor.Builder builder = Table.SETTINGS.apply(
                settings,
                KubernetesExecutor.builder()
                        .onProgress(
                                seen -> progress.accept(new Progress("starting a pod", OptionalDouble.empty(), seen)))
                        .onTransfer(progress));
        if (settings.containsKey(WORKTREE_CLAIM)) {
            builder.worktreeVolume(settings.get(WORKTREE_CLAIM), settings.getOrDefault(WORKTREE_PATH, ""));
        } else if (settings.containsKey(WORKTREE_PATH)) {
            builder.worktreeHostPath(settings.get(WORKTREE_PATH));
        }
        if (!settings.containsKey(POD)) {
            return builder.policy(policy).build();
        }
        boolean isSynchronized = settings.containsKey(REMOTE_DIRECTORY);
        PodPolicyCheck.attached(policy, isSynchronized).require();
        builder.env(policy.environment().resolve(ClusterEnvironment.variables()));
        return (isSynchronized ? builder.policy(policy) : builder).build();
    }

    private static void files(KubernetesExecutor.Builder builder, String value) {
        switch (value) {
            case "sync" -> {}
            case "none" -> builder.withoutWorktree();
            default -> throw new IllegalArgumentException("files must be 'sync' or 'none', not '" + value + "'");
        }
    }

    /** Deletes what executors of dead JVMs left here and in each cluster and namespace that they used. */
    @Override
    public List<String> sweep(SweepMode mode) {
        List<String> done = new ArrayList<>(PrivateState.sweep(Cluster.BACKEND, mode));
        done.addAll(PodSweep.of(mode));
        return done;
    }
}
