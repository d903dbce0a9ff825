package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.kubernetes.cluster.Claims;
import dev.paddock.executor.kubernetes.cluster.Claims.Claim;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.ClusterSandbox;
import dev.paddock.executor.kubernetes.cluster.PodState;
import dev.paddock.executor.kubernetes.cluster.Pods;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.remote.shell.ProcStatus;
import dev.paddock.executor.sandbox.policy.Violation;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pod of a sandbox: an existing one, or that of a claim, which is made at the first use. */
final class SandboxPod implements PodFinder {
    private static final System.Logger LOG = LateLogger.of(SandboxPod.class);

    /** How long disposal waits until the cluster ends the pod of a deleted claim. */
    private static final Duration END = Duration.ofSeconds(3);

    private final Cluster cluster;
    private final SandboxSettings settings;
    private final ReentrantLock lock = new ReentrantLock();

    /** Changed under {@link #lock}, which guards the others. */
    private volatile @Nullable Claim claim;

    private @Nullable PodRecord record;
    private @Nullable Pod found;

    /** The guarantees of the first pod; one that ensures less is refused. */
    private @Nullable Set<Guarantee> ensured;

    SandboxPod(Cluster cluster, SandboxSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
    }

    @Override
    public Pod find(AbortSignal signal) {
        lock.lock();
        try {
            long deadline = System.nanoTime() + settings.bounds().start().toNanos();
            ClusterSandbox sandbox = sandbox(deadline, signal);
            Pod pod = awaitPod(sandbox, deadline, signal);
            if (PodState.isLeft(pod) && isReplaceable()) {
                replace(sandbox);
                pod = awaitPod(sandbox(deadline, signal), deadline, signal);
            }
            if (PodState.isLeft(pod)) {
                throw ended(pod);
            }
            require(pod);
            found = pod;
            return pod;
        } catch (RuntimeException fault) {
            try {
                drop();
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        } finally {
            lock.unlock();
        }
    }

    private Pod awaitPod(ClusterSandbox sandbox, long deadline, AbortSignal signal) {
        return sandbox.awaitPod(rest(deadline), settings.progress(), signal);
    }

    /** Returns whether an ended pod is to be replaced: if the first one of a claim ends, so would the next. */
    private boolean isReplaceable() {
        return settings.origin().template().isPresent() && (found != null || isKept());
    }

    /** Ends the pod that agent-sandbox leaves, so that the next one can start. */
    private void replace(ClusterSandbox sandbox) {
        if (isKept()) {
            sandbox.suspend(KeptSandbox.END);
        } else {
            boolean unused = drop();
        }
    }

    private SandboxUnavailableException ended(Pod pod) {
        String name = pod.getMetadata().getName();
        return ManagedPodSource.unusable(
                "the pod '" + name + "' of " + what() + " "
                        + PodState.end(pod, "").orElse("has ended"),
                settings.origin().sandbox().isPresent()
                        ? "Delete it (kubectl delete pod " + name + " --namespace " + namespace()
                                + "): agent-sandbox replaces a pod that is gone, not one that has ended."
                        : "Change what the reason names: the node, or what the template's containers run.");
    }

    private static Duration rest(long deadline) {
        return Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
    }

    private ClusterSandbox sandbox(long deadline, AbortSignal signal) {
        String namespace = settings.namespace(cluster);
        if (settings.origin().sandbox().isPresent()) {
            return new ClusterSandbox(
                    cluster, namespace, settings.origin().sandbox().get());
        }
        Claim ours = claimed();
        ClusterSandbox sandbox = new ClusterSandbox(
                cluster, namespace, Claims.awaitSandbox(cluster, ours, rest(deadline), settings.progress(), signal));
        if (isKept()) {
            sandbox.resume();
        }
        return sandbox;
    }

    private boolean isKept() {
        return settings.origin().kept().isPresent();
    }

    /** Returns the claim, and makes another one if it was deleted. */
    private Claim claimed() {
        Claim known = claim;
        if (known != null && Claims.exists(cluster, known)) {
            return known;
        }
        Claim next = settings.claim(cluster);
        if (isKept()) {
            Claims.keep(cluster, next);
        } else {
            if (record == null) {
                record = PodRecord.of(cluster, next.namespace());
            }
            Claims.create(cluster, next, settings.bounds().deadline());
            PodSweep.inBackground(cluster, next.namespace(), true);
        }
        claim = next;
        return next;
    }

    /** Requires that the pod ensures the policy, and the guarantees of earlier pods. */
    private void require(Pod pod) {
        PodConfinement confinement = confinement(pod);
        Violation.refuse(Cluster.BACKEND, confinement.violations(settings.limits()));
        Set<Guarantee> now = ensured(confinement);
        if (ensured == null) {
            ensured = now;
        } else if (!now.containsAll(ensured)) {
            Set<Guarantee> less = EnumSet.copyOf(ensured);
            less.removeAll(now);
            throw new SandboxUnavailableException(
                    Cluster.BACKEND,
                    new Availability.Unusable(
                            "the pod '" + pod.getMetadata().getName() + "' that replaced another one does not ensure "
                                    + less,
                            "Use a new executor, which claims no more than the pod ensures."));
        }
    }

    private PodConfinement confinement(Pod pod) {
        return PodConfinement.of(pod, settings.container());
    }

    private Set<Guarantee> ensured(PodConfinement confinement) {
        Set<Guarantee> all = confinement.confined();
        if (settings.origin().template().isEmpty()) {
            all.remove(Guarantee.PRIVATE_TMP); // others may use the sandbox
        }
        all.addAll(confinement.kept(settings.limits()));
        if (!confinement.isPrivileged()) {
            all.add(Guarantee.TERMINAL);
        }
        return all;
    }

    @Override
    public String namespace() {
        return settings.namespace(cluster);
    }

    @Override
    public String container() {
        return settings.container();
    }

    @Override
    public Set<Guarantee> guarantees(Pod pod, Supplier<ProcStatus> inside) {
        PodConfinement confinement = confinement(pod);
        Set<Guarantee> all = ensured(confinement);
        if (!confinement.isPrivileged() && inside.get().isWithoutPrivileges()) {
            all.add(Guarantee.NO_NEW_PRIVILEGES);
        }
        return all;
    }

    @Override
    public OptionalLong memoryLimit(Pod pod) {
        return confinement(pod).memoryLimit();
    }

    @Override
    public boolean endsWithExecutor() {
        return settings.origin().template().isPresent() && !isKept();
    }

    @Override
    public boolean mayHaveStaleFiles() {
        return isKept();
    }

    /** Deletes the claim, unless it is kept; returns whether it has. */
    private boolean drop() {
        Claim last = claim;
        if (last == null || isKept()) {
            return false;
        }
        Claims.delete(cluster, last);
        claim = null;
        return true;
    }

    @Override
    public boolean release() {
        lock.lock();
        try {
            boolean dropped = drop();
            if (record != null) {
                record.close();
            }
            Pod last = found;
            if (!dropped || last == null) {
                return false;
            }
            String pod = last.getMetadata().getName();
            if (!Pods.awaitEnd(cluster, namespace(), pod, END)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the pod '" + pod + "' still runs " + END.toSeconds() + " s after its claim was deleted");
            }
            return cluster.pod(namespace(), pod).isEmpty();
        } catch (SandboxUnavailableException unreachable) {
            throw new Pods.PodLeft(
                    what() + " may remain in the cluster, since " + unreachable.reason()
                            + ". The cluster deletes it at its deadline; paddock gc deletes it earlier",
                    unreachable);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String what() {
        return settings.origin()
                .sandbox()
                .map(name -> "the sandbox '" + name + "'")
                .orElseGet(() -> "a sandbox of the template '"
                        + settings.origin().template().orElse("") + "'");
    }

    @Override
    public String remedy() {
        Claim known = claim;
        return known == null
                ? "look at the sandbox (kubectl describe sandbox)"
                : "delete the claim (kubectl delete sandboxclaim " + known.name() + ")";
    }
}
