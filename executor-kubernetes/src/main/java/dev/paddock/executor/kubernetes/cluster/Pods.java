package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.upkeep.SweepMode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates, awaits and deletes pods. */
public final class Pods {
    private static final Duration DELETION = Duration.ofSeconds(5);

    private Pods() {}

    /**
     * Creates a pod and waits until its container runs. Deletes a pod that does not start.
     *
     * @param bound how long it may take
     * @param progress receives what the pod waits for, each time that changes
     * @param signal aborts the wait
     * @return the pod, with its status
     * @throws SandboxUnavailableException if it does not run in time, with the cluster's reason
     * @throws AbortedException if the signal has aborted the wait
     */
    public static Pod start(
            Cluster cluster,
            String namespace,
            Pod specification,
            Duration bound,
            Consumer<String> progress,
            AbortSignal signal) {
        String name = specification.getMetadata().getName();
        Pod unused = cluster.call(
                "create pods in the namespace '" + namespace + "'",
                client -> client.pods()
                        .inNamespace(namespace)
                        .resource(specification)
                        .create());
        try {
            return await(cluster, namespace, name, bound, progress, signal);
        } catch (RuntimeException fault) {
            try {
                delete(cluster, namespace, name);
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        }
    }

    private static Pod await(
            Cluster cluster,
            String namespace,
            String name,
            Duration bound,
            Consumer<String> progress,
            AbortSignal signal) {
        AtomicReference<String> reported = new AtomicReference<>("");
        try {
            Pod pod = new ObjectWait(cluster, "pods in the namespace '" + namespace + "'", signal)
                    .until(
                            cluster.resource(namespace, name),
                            seen -> {
                                String now = PodState.waiting(seen);
                                if (!now.equals(reported.getAndSet(now))) {
                                    progress.accept(now);
                                }
                                return PodState.runs(seen, "")
                                        || PodState.end(seen, "").isPresent()
                                        || PodState.isHopeless(seen);
                            },
                            bound)
                    .orElseThrow(() -> notStarted(name, "was deleted", null));
            if (!PodState.runs(pod, "")) {
                throw notStarted(name, PodState.end(pod, "").orElseGet(() -> PodState.waiting(pod)), null);
            }
            return pod;
        } catch (TimeoutException late) {
            throw notStarted(name, "not running after " + bound.toSeconds() + " s; " + reported.get(), late);
        }
    }

    static SandboxUnavailableException notStarted(String name, String why, @Nullable Exception cause) {
        SandboxUnavailableException unavailable = new SandboxUnavailableException(
                Cluster.BACKEND,
                new Availability.Unusable(
                        "the pod '" + name + "' did not start: " + why,
                        "Change what the reason names: the image, the quota, the node selector, the claim; or raise the"
                                + " time limit of the start."));
        if (cause != null) {
            unavailable.initCause(cause);
        }
        return unavailable;
    }

    /**
     * Deletes a pod without grace, and waits until it is gone, 5 seconds at most.
     *
     * @throws PodLeft if it still exists then
     */
    public static void delete(Cluster cluster, String namespace, String name) {
        Optional<Pod> known = cluster.pod(namespace, name);
        if (known.isEmpty()) {
            return;
        }
        cluster.call(
                "delete pods in the namespace '" + namespace + "'",
                client -> cluster.resource(namespace, name).withGracePeriod(0).delete());
        try {
            Pod unused = cluster.resource(namespace, name)
                    .waitUntilCondition(
                            now -> now == null
                                    || !now.getMetadata()
                                            .getUid()
                                            .equals(known.get().getMetadata().getUid()),
                            DELETION.toMillis(),
                            TimeUnit.MILLISECONDS);
        } catch (KubernetesClientTimeoutException late) {
            throw new PodLeft(
                    "the pod '" + name + "' in the namespace '" + namespace + "' was deleted but still exists after "
                            + DELETION.toSeconds() + " s; the next executor tries again",
                    late);
        }
    }

    /**
     * Waits until the cluster deletes a pod with its owner, even one that has already ended.
     *
     * @return whether it is gone, or being deleted, within the bound
     */
    public static boolean awaitEnd(Cluster cluster, String namespace, String name, Duration bound) {
        try {
            if (cluster.pod(namespace, name).isPresent()) {
                Optional<Pod> unused = new ObjectWait(
                                cluster, "pods in the namespace '" + namespace + "'", AbortSignal.never())
                        .until(
                                cluster.resource(namespace, name),
                                now -> now.getMetadata().getDeletionTimestamp() != null,
                                bound);
            }
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }

    /**
     * Deletes pods of dead owners and pods that have ended.
     *
     * @param mode whether to delete or only list them
     * @return a phrase for each pod, deleted or not
     * @throws SandboxUnavailableException if the cluster does not list its pods
     */
    public static List<String> sweep(Cluster cluster, String namespace, SweepMode mode) {
        List<Pod> ours = cluster.call(
                "list pods in the namespace '" + namespace + "'",
                client -> client.pods()
                        .inNamespace(namespace)
                        .withLabel(PodSpecification.MANAGED_LABEL, PodSpecification.MANAGED)
                        .list()
                        .getItems());
        List<String> done = new ArrayList<>();
        for (Pod pod : ours) {
            String owner = pod.getMetadata().getAnnotations().getOrDefault(PodSpecification.OWNER, "");
            String name = pod.getMetadata().getName();
            boolean ended = PodState.hasEnded(pod);
            if (ended || OwnerId.parse(owner).filter(OwnerId::provenDead).isPresent()) {
                done.add(mode.apply(
                        "delete the pod '" + name + "' in the namespace '" + namespace + "'",
                        () -> remove(cluster, namespace, name)));
            }
        }
        return done;
    }

    private static String remove(Cluster cluster, String namespace, String name) {
        try {
            delete(cluster, namespace, name);
            return "the pod '" + name + "' in the namespace '" + namespace + "' was deleted";
        } catch (ExecutorException fault) {
            return "the pod '" + name + "' could not be deleted: " + fault.getMessage();
        }
    }

    /** Reports that a pod could not be deleted. */
    public static final class PodLeft extends ExecutorException {
        private static final long serialVersionUID = 1L;

        public PodLeft(String message) {
            super(message);
        }

        public PodLeft(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
