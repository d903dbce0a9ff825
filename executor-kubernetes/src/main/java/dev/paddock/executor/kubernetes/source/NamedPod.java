package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodState;
import dev.paddock.executor.remote.shell.ProcStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A running pod that the user names.
 *
 * @param pod its container
 */
record NamedPod(Cluster cluster, PodName pod) implements PodFinder {
    @Override
    public Pod find(AbortSignal signal) {
        Pod seen = cluster.pod(pod.namespace(), pod.pod())
                .orElseThrow(() -> unusable(
                        "does not exist",
                        "Name one that kubectl get pods --namespace " + pod.namespace() + " lists.",
                        false));
        PodState.end(seen, pod.container()).ifPresent(why -> {
            throw unusable(why, "Start another pod, and name it.", false);
        });
        if (!PodState.runs(seen, pod.container())) {
            throw unusable(
                    "does not run: " + PodState.waiting(seen),
                    "Wait until it runs (kubectl describe pod " + pod.pod() + "), or name another container.",
                    true);
        }
        return seen;
    }

    private SandboxUnavailableException unusable(String why, String remedy, boolean isTransient) {
        return new SandboxUnavailableException(
                Cluster.BACKEND, new Availability.Unusable(pod + " " + why, remedy, isTransient));
    }

    @Override
    public String namespace() {
        return pod.namespace();
    }

    @Override
    public String container() {
        return pod.container();
    }

    @Override
    public Set<Guarantee> guarantees(Pod seen, Supplier<ProcStatus> inside) {
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        if (!PodConfinement.of(seen, pod.container()).isPrivileged()) {
            kept.add(Guarantee.TERMINAL);
            if (inside.get().isWithoutPrivileges()) {
                kept.add(Guarantee.NO_NEW_PRIVILEGES);
            }
        }
        return kept;
    }

    @Override
    public OptionalLong memoryLimit(Pod seen) {
        return OptionalLong.empty();
    }

    @Override
    public boolean endsWithExecutor() {
        return false;
    }

    @Override
    public boolean mayHaveStaleFiles() {
        return false;
    }

    @Override
    public boolean release() {
        return false;
    }

    @Override
    public String what() {
        return pod.toString();
    }

    @Override
    public String remedy() {
        return "delete the pod (kubectl delete pod " + pod.pod() + " --force)";
    }
}
