package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Progress;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SweepMode;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.Pods;
import dev.paddock.executor.kubernetes.source.ManagedPodSource;
import dev.paddock.executor.kubernetes.source.PodPolicyCheck;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.ProviderSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Provides Kubernetes as a backend: {@code "kubernetes"}.
 *
 * <p>Settings: {@code image} or {@code pod}, exactly one of them; {@code container}, {@code namespace}, {@code
 * context}, {@code kubeconfig}, {@code pull} ({@code Always}, {@code IfNotPresent}, {@code Never}), {@code
 * runtimeClass}, {@code quarantine}, {@code warmSlots} (a number). The worktree: {@code files}, {@code sync} (the
 * default with an image) or {@code none}; or {@code worktreeClaim} and {@code worktreePath} (in the claim, or of the
 * node), which share it; with a pod {@code remoteDirectory}, an absolute path, without which nothing is synchronized.
 * {@code auto} never selects this backend.
 */
public final class KubernetesProvider implements ExecutorProvider {
    private static final Set<String> SETTINGS = Set.of(
            "image",
            "pod",
            "container",
            "namespace",
            "context",
            "kubeconfig",
            "pull",
            "runtimeClass",
            "files",
            "remoteDirectory",
            "worktreeClaim",
            "worktreePath",
            "quarantine",
            "warmSlots");

    /** Creates the provider; called by the service loader. */
    public KubernetesProvider() {}

    @Override
    public String name() {
        return Cluster.BACKEND;
    }

    @Override
    public Availability probe() {
        try (Cluster cluster = Cluster.of(Optional.empty(), Optional.empty())) {
            if (!cluster.isConfigured()) {
                return new Availability.Unusable(
                        "there is no kubeconfig, and this process runs in no pod",
                        "Name a kubeconfig by KUBECONFIG, or create ~/.kube/config.");
            }
            return new Availability.Usable(
                    "Kubernetes " + cluster.version() + " at " + cluster.where(), ManagedPodSource.kept(true));
        } catch (SandboxUnavailableException absent) {
            return new Availability.Unusable(absent.reason(), absent.remedy(), absent.isTransient());
        }
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return create(policy, settings, progress -> {});
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings, Consumer<Progress> progress) {
        settings.keySet().stream()
                .filter(name -> !SETTINGS.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "the kubernetes backend has no setting '" + name + "', only " + new TreeSet<>(SETTINGS));
                });
        KubernetesExecutor.Builder builder = KubernetesExecutor.builder()
                .onProgress(seen -> progress.accept(new Progress("starting a pod", OptionalDouble.empty(), seen)))
                .onTransfer(progress);
        settings.forEach((name, value) -> apply(builder, name, value));
        if (settings.containsKey("worktreeClaim")) {
            builder.worktreeVolume(settings.get("worktreeClaim"), settings.getOrDefault("worktreePath", ""));
        } else if (settings.containsKey("worktreePath")) {
            builder.worktreeHostPath(settings.get("worktreePath"));
        }
        if (!settings.containsKey("pod")) {
            return builder.policy(policy).build();
        }
        boolean isSynchronized = settings.containsKey("remoteDirectory");
        PodPolicyCheck.attached(policy, isSynchronized).require();
        builder.env(policy.environment().resolve(HostEnvironment.variables()));
        return (isSynchronized ? builder.policy(policy) : builder).build();
    }

    private static void files(KubernetesExecutor.Builder builder, String value) {
        switch (value) {
            case "sync" -> {}
            case "none" -> builder.withoutWorktree();
            default -> throw new IllegalArgumentException("the setting files is 'sync' or 'none', not '" + value + "'");
        }
    }

    private static void apply(KubernetesExecutor.Builder builder, String name, String value) {
        switch (name) {
            case "image" -> builder.image(value);
            case "pod" -> builder.pod(value);
            case "container" -> builder.container(value);
            case "namespace" -> builder.namespace(value);
            case "context" -> builder.context(value);
            case "kubeconfig" -> builder.kubeconfig(Path.of(value));
            case "pull" -> builder.pullPolicy(value);
            case "runtimeClass" -> builder.runtimeClass(value);
            case "files" -> files(builder, value);
            case "remoteDirectory" -> builder.remoteDirectory(value);
            case "quarantine" -> builder.quarantine(Path.of(value));
            case "warmSlots" -> builder.warmSlots(ProviderSettings.wholeNumber(name, value));
            default -> {}
        }
    }

    @Override
    public List<String> sweep(SweepMode mode) {
        try (Cluster cluster = Cluster.of(Optional.empty(), Optional.empty())) {
            return cluster.isConfigured() ? Pods.sweep(cluster, cluster.namespace(), mode) : List.of();
        } catch (SandboxUnavailableException absent) {
            // Without a cluster there are no pods to sweep; the probe reports the reason.
            System.getLogger(KubernetesProvider.class.getName())
                    .log(System.Logger.Level.DEBUG, "no pod was swept", absent);
            return List.of();
        }
    }
}
