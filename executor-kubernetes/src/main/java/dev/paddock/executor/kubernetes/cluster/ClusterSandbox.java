package dev.paddock.executor.kubernetes.cluster;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Awaits, suspends and resumes a sandbox of the cluster. */
public final class ClusterSandbox {
    /** How long one poll lasts: the pod is examined between polls, and a sandbox may get another pod meanwhile. */
    private static final Duration POLL = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final String namespace;
    private final String name;

    /** Names a sandbox; contacts the cluster later. */
    public ClusterSandbox(Cluster cluster, String namespace, String name) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.name = name;
    }

    @Override
    public String toString() {
        return "the sandbox '" + name + "' in the namespace '" + namespace + "'";
    }

    /**
     * Waits until the sandbox is ready and its pod runs. The pod may be replaced meanwhile; agent-sandbox replaces one
     * that was deleted, and leaves one that has ended by itself.
     *
     * @param progress receives what it waits for
     * @return the pod; immediately, if it {@linkplain PodState#isLeft has ended}
     * @throws SandboxUnavailableException if it does not run in time, or never will
     * @throws dev.paddock.executor.AbortedException if the signal has aborted the wait
     */
    public Pod awaitPod(Duration bound, Consumer<String> progress, AbortSignal signal) {
        long deadline = System.nanoTime() + bound.toNanos();
        String why = "its controller has not reported anything";
        while (System.nanoTime() < deadline) {
            Optional<GenericKubernetesResource> seen = poll(deadline, signal);
            GenericKubernetesResource sandbox = seen.orElseThrow(this::absent);
            Optional<Pod> running =
                    SandboxState.isReady(sandbox) ? running(sandbox, deadline, signal) : Optional.empty();
            if (running.isPresent()) {
                return running.get();
            }
            Optional<Pod> pod = cluster.pod(namespace, SandboxState.pod(sandbox));
            if (pod.filter(PodState::isLeft).isPresent()) {
                return pod.get();
            }
            String now = reason(sandbox, pod);
            if (!now.equals(why)) {
                progress.accept(now);
            }
            why = now;
        }
        throw unusable(
                this + " is not ready in time: " + why,
                "Change what the reason names, or raise the time limit of the start.",
                true);
    }

    /** Returns the sandbox once it is ready, or after a while in its current state; empty if it does not exist. */
    private Optional<GenericKubernetesResource> poll(long deadline, AbortSignal signal) {
        Optional<GenericKubernetesResource> seen;
        try {
            seen = get().isEmpty()
                    ? Optional.empty()
                    : new ObjectWait(cluster, SandboxKind.SANDBOX.in(namespace), signal)
                            .until(
                                    SandboxKind.SANDBOX.named(cluster, namespace, name),
                                    now -> SandboxState.isReady(now)
                                            || SandboxState.isFinal(now)
                                            || version().isSuspended(now),
                                    rest(deadline));
        } catch (TimeoutException notYet) {
            seen = get();
        }
        seen.ifPresent(this::requireActive);
        return seen;
    }

    private static Duration rest(long deadline) {
        Duration rest = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
        return rest.compareTo(POLL) < 0 ? rest : POLL;
    }

    private void requireActive(GenericKubernetesResource sandbox) {
        if (SandboxState.isDeleted(sandbox)) {
            throw absent();
        }
        if (SandboxState.isFinal(sandbox)) {
            throw unusable(this + " cannot be used: " + reason(sandbox, Optional.empty()), "Claim another.", false);
        }
        if (version().isSuspended(sandbox)) {
            throw unusable(
                    this + " is suspended",
                    "Resume it (kubectl patch sandbox " + name + " --namespace " + namespace + " --type merge --patch '"
                            + version().resumption() + "').",
                    false);
        }
    }

    /** Returns the pod if it runs soon; one that is being deleted may be replaced. */
    private Optional<Pod> running(GenericKubernetesResource sandbox, long deadline, AbortSignal signal) {
        String pod = SandboxState.pod(sandbox);
        Optional<Pod> known = cluster.pod(namespace, pod).filter(now -> PodState.runs(now, ""));
        if (known.isPresent()) {
            return known;
        }
        try {
            return new ObjectWait(cluster, "pods in the namespace '" + namespace + "'", signal)
                    .until(cluster.resource(namespace, pod), now -> PodState.runs(now, ""), rest(deadline));
        } catch (TimeoutException notYet) {
            return Optional.empty();
        }
    }

    /**
     * Returns why the sandbox is not ready.
     *
     * @throws SandboxUnavailableException if waiting is futile
     */
    private String reason(GenericKubernetesResource sandbox, Optional<Pod> pod) {
        pod.filter(PodState::isHopeless).ifPresent(hopeless -> {
            throw Pods.notStarted(hopeless.getMetadata().getName(), PodState.waiting(hopeless), null);
        });
        String reported = SandboxState.ready(sandbox)
                .map(SandboxState.Ready::toString)
                .orElse("its controller has not reported anything");
        return pod.map(seen ->
                        reported + "; its pod: " + PodState.end(seen, "").orElseGet(() -> PodState.waiting(seen)))
                .orElse(reported);
    }

    private Optional<GenericKubernetesResource> get() {
        return SandboxKind.SANDBOX.get(cluster, namespace, name);
    }

    private SandboxVersion version() {
        return SandboxKind.SANDBOX.version(cluster);
    }

    private SandboxUnavailableException absent() {
        return unusable(
                this + " does not exist",
                "Name one that kubectl get sandboxes --namespace " + namespace + " lists.",
                false);
    }

    private static SandboxUnavailableException unusable(String reason, String remedy, boolean isTransient) {
        return new SandboxUnavailableException(Cluster.BACKEND, new Availability.Unusable(reason, remedy, isTransient));
    }

    /** Resumes the sandbox, if it is suspended; does not wait. */
    public void resume() {
        if (get().filter(version()::isSuspended).isPresent()) {
            patch(version().resumption());
        }
    }

    /**
     * Suspends the sandbox: its pod is deleted, its volumes stay.
     *
     * @param bound how long to wait until the cluster deletes the pod
     */
    public void suspend(Duration bound) {
        Optional<String> pod = get().map(SandboxState::pod);
        if (pod.isPresent()) {
            patch(version().suspension());
            boolean unused = Pods.awaitEnd(cluster, namespace, pod.get(), bound);
        }
    }

    private void patch(String merged) {
        GenericKubernetesResource unused = SandboxKind.SANDBOX.call(
                cluster,
                "patch",
                namespace,
                () -> SandboxKind.SANDBOX
                        .named(cluster, namespace, name)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), merged));
    }
}
