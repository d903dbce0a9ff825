package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.kubernetes.cluster.Claims;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.Pods;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.io.DaemonThreads;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.upkeep.SweepMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Deletes pods and claims of dead JVMs in the current context's namespace and in every recorded namespace. */
public final class PodSweep {
    /** How long {@code paddock gc} waits in a script; for a person it waits longer. */
    public static final Duration BOUND = Duration.ofSeconds(8);

    /** How long before the bound the clusters that have not answered are named. */
    private static final Duration RESERVE = Duration.ofSeconds(1);

    private PodSweep() {}

    /**
     * Sweeps.
     *
     * @param mode whether to delete or only list the pods
     * @param bound how long the caller waits; all clusters are asked at once
     * @return a phrase for each pod that was deleted or would be, and for each namespace that could not be examined
     */
    public static List<String> of(SweepMode mode, Duration bound) {
        long deadline = System.nanoTime() + bound.minus(RESERVE).toNanos();
        Map<PodNamespace, List<PrivateState>> namespaces = new LinkedHashMap<>(PodRecord.left());
        List<String> done = new ArrayList<>();
        try (Cluster current = Cluster.of(Optional.empty(), Optional.empty())) {
            if (current.isConfigured()) {
                namespaces.putIfAbsent(PodNamespace.of(current, current.namespace()), List.of());
            }
        } catch (SandboxUnavailableException unreadable) {
            done.add("the pods of the current context were not examined: " + unreadable.reason() + ". "
                    + unreadable.remedy());
        }
        done.addAll(of(namespaces, mode, deadline));
        return done;
    }

    static List<String> of(Map<PodNamespace, List<PrivateState>> namespaces, SweepMode mode, long deadline) {
        Map<PodNamespace, CompletableFuture<List<String>>> sweeps = new LinkedHashMap<>();
        namespaces.forEach((namespace, records) -> sweeps.put(
                namespace,
                CompletableFuture.supplyAsync(
                        () -> sweep(namespace, records, mode),
                        DaemonThreads.virtual("paddock-kubernetes-sweep")::start)));
        List<String> done = new ArrayList<>();
        sweeps.forEach((namespace, sweep) -> done.addAll(
                await(namespace, namespaces.getOrDefault(namespace, List.of()), sweep, deadline - System.nanoTime())));
        return done;
    }

    private static List<String> await(
            PodNamespace namespace, List<PrivateState> records, CompletableFuture<List<String>> sweep, long nanos) {
        try {
            return sweep.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException silence) {
            return List.of(notExamined(
                    namespace, records, "the cluster did not answer in time", "Look at it (kubectl cluster-info)."));
        } catch (ExecutionException fault) {
            String why = fault.getCause() instanceof SandboxUnavailableException absent
                    ? absent.reason()
                    : String.valueOf(fault.getCause());
            String remedy = fault.getCause() instanceof SandboxUnavailableException absent ? absent.remedy() : "";
            return List.of(notExamined(namespace, records, why, remedy));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return List.of(notExamined(namespace, records, "interrupted", ""));
        }
    }

    private static String notExamined(PodNamespace namespace, List<PrivateState> records, String why, String remedy) {
        return ("the pods in " + namespace + " were not examined: " + why + ". " + remedy).strip()
                + " Then run paddock gc again"
                + (records.isEmpty()
                        ? ""
                        : "; if that cluster no longer exists, remove "
                                + String.join(
                                        " ",
                                        records.stream()
                                                .map(each -> each.directory().toString())
                                                .toList()));
    }

    /** Sweeps one namespace; if it returns normally, no recorded pod remains there. */
    private static List<String> sweep(PodNamespace namespace, List<PrivateState> records, SweepMode mode) {
        try (Cluster cluster = namespace.cluster()) {
            List<String> done = new ArrayList<>(Pods.sweep(cluster, namespace.namespace(), mode));
            done.addAll(Claims.sweep(cluster, namespace.namespace(), mode));
            if (mode == SweepMode.REMOVE && isClean(cluster, namespace.namespace())) {
                records.forEach(PrivateState::close);
            }
            return done;
        }
    }

    private static boolean isClean(Cluster cluster, String namespace) {
        return Pods.sweep(cluster, namespace, SweepMode.DRY_RUN).isEmpty()
                && Claims.sweep(cluster, namespace, SweepMode.DRY_RUN).isEmpty();
    }

    /**
     * Sweeps an executor's namespace after its start; returns at once and logs its actions.
     *
     * @param hasClaims whether the executor has a claim, so that there may be others
     */
    static void inBackground(Cluster cluster, String namespace, boolean hasClaims) {
        DaemonThreads.virtual("paddock-kubernetes-sweep").start(() -> {
            System.Logger log = LateLogger.of(PodSweep.class);
            try {
                Pods.sweep(cluster, namespace, SweepMode.REMOVE)
                        .forEach(line -> log.log(System.Logger.Level.DEBUG, line));
                if (hasClaims) {
                    Claims.sweep(cluster, namespace, SweepMode.REMOVE)
                            .forEach(line -> log.log(System.Logger.Level.DEBUG, line));
                }
                List<PrivateState> records =
                        PodRecord.left().getOrDefault(PodNamespace.of(cluster, namespace), List.of());
                if (!records.isEmpty() && isClean(cluster, namespace)) {
                    records.forEach(PrivateState::close);
                }
            } catch (ExecutorException fault) {
                log.log(System.Logger.Level.DEBUG, "the pods of dead runs were not deleted", fault);
            }
        });
    }
}
