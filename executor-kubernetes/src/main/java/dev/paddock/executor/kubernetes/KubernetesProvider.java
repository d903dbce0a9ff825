package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.caller.CallerEnvironment;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.Readiness;
import dev.paddock.executor.kubernetes.source.KeptSandbox;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodPolicyCheck;
import dev.paddock.executor.kubernetes.source.PodSweep;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.SandboxPolicy;
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
import java.util.Set;
import java.util.function.Consumer;

/**
 * Provides Kubernetes as a backend: {@code "kubernetes"}.
 *
 * <p>Settings: {@code image}, {@code pod}, {@code claim} (a template; {@code claimName} keeps the claim) or {@code
 * sandbox}, exactly one of them; {@code container}, {@code namespace}, {@code
 * context}, {@code kubeconfig}, {@code pull} ({@code Always}, {@code IfNotPresent}, {@code Never}), {@code
 * runtimeClass}, {@code quarantine}, {@code warmSlots} (a number), {@code maxFetch} (MiB), {@code
 * fetchTimeout} (seconds). The worktree: {@code files}, {@code sync} (the
 * default with an image) or {@code none}; or {@code worktreeClaim} and {@code worktreePath} (in the claim, or of the
 * node), which share it; with a pod {@code remoteDirectory}, an absolute path, without which nothing is synchronized.
 * {@code auto} never selects this backend.
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL) // public for the service loader
@SuppressWarnings("exports") // only the command line uses its upkeep
public final class KubernetesProvider implements ExecutorProvider, BackendUpkeep {
    private static final String POD = "pod";
    private static final String CLAIM = "claim";
    private static final String REMOTE_DIRECTORY = "remoteDirectory";
    private static final String WORKTREE_CLAIM = "worktreeClaim";
    private static final String WORKTREE_PATH = "worktreePath";

    /** In a nested class, since every start of a program loads all providers. */
    private static final class Table {
        /** The claim and the path are read together, after the others. */
        private static final ProviderSettings<KubernetesExecutorBuilder> SETTINGS =
                ProviderSettings.<KubernetesExecutorBuilder>of(Cluster.BACKEND)
                        .with("image", KubernetesExecutorBuilder::image)
                        .with(POD, KubernetesExecutorBuilder::pod)
                        .with(CLAIM, KubernetesExecutorBuilder::claim)
                        .with("claimName", KubernetesExecutorBuilder::claimName)
                        .with("sandbox", KubernetesExecutorBuilder::sandbox)
                        .with("container", KubernetesExecutorBuilder::container)
                        .with("namespace", KubernetesExecutorBuilder::namespace)
                        .with("context", KubernetesExecutorBuilder::context)
                        .with("kubeconfig", (builder, value) -> builder.kubeconfig(Path.of(value)))
                        .with("pull", KubernetesExecutorBuilder::pullPolicy)
                        .with("runtimeClass", KubernetesExecutorBuilder::runtimeClass)
                        .with("files", KubernetesProvider::files)
                        .with(REMOTE_DIRECTORY, KubernetesExecutorBuilder::remoteDirectory)
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

    /** Creates the provider, for the service loader. */
    public KubernetesProvider() {}

    @Override
    public String name() {
        return Cluster.BACKEND;
    }

    @Override
    public Availability probe() {
        try (Cluster cluster = Cluster.of(Optional.empty(), Optional.empty())) {
            return new Availability.Usable(
                    "Kubernetes " + cluster.version() + " at " + cluster.where()
                            + Readiness.sandboxes(cluster)
                                    .map(version -> ", with agent-sandbox " + version)
                                    .orElse(""),
                    ManagedPodSource.kept(true));
        } catch (SandboxUnavailableException absent) {
            return new Availability.Unusable(absent.reason(), absent.remedy(), absent.isTransient());
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(ExecutorOptions.of(policy).settings(settings));
    }

    /** Examines the cluster before it makes a claim. */
    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        Availability probed = settings.containsKey(CLAIM)
                ? Table.SETTINGS.apply(settings, KubernetesExecutor.builder()).readiness()
                : new Availability.Usable(name(), Set.of());
        if (!probed.isUsable()) {
            return probed;
        }
        Availability tried = ExecutorProvider.super.probe(policy, settings);
        return probed instanceof Availability.Usable known && tried instanceof Availability.Usable works
                ? new Availability.Usable(known.version(), works.guarantees())
                : tried;
    }

    @Override
    public CommandExecutor create(ExecutorOptions options) {
        SandboxPolicy policy = options.policy();
        Map<String, String> settings = options.settings();
        Consumer<Progress> progress = options.progress();
        KubernetesExecutorBuilder builder = Table.SETTINGS.apply(
                settings,
                KubernetesExecutor.builder()
                        .onProgress(
                                seen -> progress.accept(Progress.of("starting a pod", OptionalDouble.empty(), seen)))
                        .onTransfer(progress));
        if (settings.containsKey(WORKTREE_CLAIM)) {
            builder.worktreeVolume(settings.get(WORKTREE_CLAIM), settings.getOrDefault(WORKTREE_PATH, ""));
        } else if (settings.containsKey(WORKTREE_PATH)) {
            builder.worktreeHostPath(settings.get(WORKTREE_PATH));
        }
        if (!settings.containsKey(POD)) { // the builder compares the policy
            return builder.policy(policy).build();
        }
        boolean isSynchronized = settings.containsKey(REMOTE_DIRECTORY);
        PodPolicyCheck.attached(policy, isSynchronized).require();
        builder.env(policy.environment().resolve(CallerEnvironment.variables()));
        return (isSynchronized ? builder.policy(policy) : builder).build();
    }

    private static void files(KubernetesExecutorBuilder builder, String value) {
        switch (value) {
            case "sync" -> {}
            case "none" -> builder.withoutWorktree();
            default -> throw new IllegalArgumentException("files must be 'sync' or 'none', not '" + value + "'");
        }
    }

    /** Suspends the sandbox of a kept claim: its pod ends, its volumes stay. */
    @Override
    public void suspend(Map<String, String> settings) {
        kept(settings, KeptSandbox::suspend);
    }

    /** Deletes a kept claim, and so its sandbox and volumes. */
    @Override
    public void discard(Map<String, String> settings) {
        kept(settings, KeptSandbox::discard);
    }

    private static void kept(Map<String, String> settings, Consumer<KeptSandbox> action) {
        Table.SETTINGS.apply(settings, KubernetesExecutor.builder()).kept().ifPresent(kept -> {
            try (kept) {
                action.accept(kept);
            }
        });
    }

    /** Deletes the remains of dead JVMs' executors here and in each cluster and namespace that they used. */
    @Override
    public List<String> sweep(SweepMode mode) {
        return sweep(mode, PodSweep.BOUND);
    }

    @Override
    public List<String> sweep(SweepMode mode, Duration bound) {
        List<String> done = new ArrayList<>(PrivateState.sweep(Cluster.BACKEND, mode));
        done.addAll(PodSweep.of(mode, bound));
        return done;
    }
}
