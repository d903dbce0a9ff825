package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodConnection;
import dev.paddock.executor.kubernetes.cluster.PodLease;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodState;
import dev.paddock.executor.kubernetes.cluster.Pods;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.ShellChannel;
import dev.paddock.executor.remote.command.PlaceContext;
import dev.paddock.executor.remote.command.PlaceSource;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemotePlace;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.remote.shell.ProcStatus;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Supplies a container of a pod that the executor did not create and never deletes. */
public final class AttachedPodSource implements PlaceSource {
    private static final System.Logger LOG = LateLogger.of(AttachedPodSource.class);

    private final Cluster cluster;
    private final PodName pod;
    private final Map<String, String> environment;
    private final Optional<PodFiles> files;
    private final int warmSlots;
    private volatile boolean opened;

    /** Polls the open pod for liveness; replaced when the pod is opened again. */
    private volatile Optional<PodLease> pulse = Optional.empty();

    /**
     * Creates the source; the cluster is contacted later.
     *
     * @param files synchronizes a worktree with a directory of the pod; closed with the source
     */
    public AttachedPodSource(
            Cluster cluster, PodName pod, Map<String, String> environment, Optional<PodFiles> files, int warmSlots) {
        this.cluster = cluster;
        this.pod = pod;
        this.environment = PodFiles.environment(files, environment);
        this.files = files;
        this.warmSlots = warmSlots;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * Returns what is observed from inside and what the pod's specification ensures; Paddock cannot promise
     * anything else about it.
     */
    @Override
    public Set<Guarantee> guarantees() {
        Pod seen = requireUsable();
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        if (files.isPresent()) {
            kept.add(Guarantee.PROTECTED_PATHS);
        }
        if (isPrivileged(seen)) {
            return kept;
        }
        kept.add(Guarantee.TERMINAL);
        ProcStatus status = ProcStatus.read(new PodConnection(cluster, pod).open(ProcStatus.COMMAND));
        if (status.isWithoutPrivileges()) {
            kept.add(Guarantee.NO_NEW_PRIVILEGES);
        }
        return kept;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return files.map(synchronizing -> synchronizing.synced().worktree());
    }

    private boolean isPrivileged(Pod seen) {
        return Boolean.TRUE.equals(seen.getSpec().getHostPID())
                || seen.getSpec().getContainers().stream()
                        .filter(container ->
                                pod.container().isEmpty() || container.getName().equals(pod.container()))
                        .anyMatch(AttachedPodSource::isPrivileged);
    }

    private static boolean isPrivileged(Container container) {
        var context = container.getSecurityContext();
        return context != null
                && (Boolean.TRUE.equals(context.getPrivileged())
                        || (context.getCapabilities() != null
                                && !context.getCapabilities().getAdd().isEmpty()));
    }

    @Override
    public RemotePlace open(List<RemoteCommand> survivors, AbortSignal signal) {
        Pod seen = requireUsable();
        opened = true;
        String run = PodState.run(seen, pod.container());
        PlaceContext inside = new PlaceContext(pod.pod(), run, List.of(), 0, OrphanPolicy.MARKED, OptionalLong.empty());
        pulse.ifPresent(PodLease::close);
        pulse = Optional.of(PodLease.pulse(cluster, pod));
        return RemotePlace.open(new PodConnection(cluster, pod, run, pulse), inside, this, survivors);
    }

    private Pod requireUsable() {
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
    public void requirePublishing(SpawnOptions options) {
        options.refusePublishing(
                backend(), "its commands run in a pod; 'kubectl port-forward POD PORT' brings a port of it here");
    }

    @Override
    public int warmSlots() {
        return warmSlots;
    }

    @Override
    public String backend() {
        return Cluster.BACKEND;
    }

    @Override
    public String remedy() {
        return "delete the pod (kubectl delete pod " + pod.pod() + " --force)";
    }

    @Override
    public String withoutTerminal() {
        return "the pod " + pod + " is privileged, has added capabilities, or sees the node's processes: commands could"
                + " reach other terminals, so they get none; start the command without a terminal, or name another pod";
    }

    @Override
    public ExecutorException left(String message, Throwable cause) {
        return new Pods.PodLeft(message, cause);
    }

    @Override
    public String what() {
        return pod.toString();
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        try {
            files.filter(any -> opened).ifPresent(this::fetchAndRemove);
        } finally {
            pulse.ifPresent(PodLease::close);
            files.ifPresent(PodFiles::close);
            cluster.close();
        }
    }

    /** Removes the executor's state directory in the pod; the worktree's directory stays. */
    private void fetchAndRemove(PodFiles last) {
        boolean unused = last.fetchLast();
        try (ShellChannel remover =
                new PodConnection(cluster, pod).open(List.of("rm", "-rf", "--", last.stateThere()))) {
            remover.deliver((stream, bytes, length) -> {});
        } catch (IOException | ExecutorException fault) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the directory '" + last.stateThere() + "' is left in " + pod + ": " + fault.getMessage());
        }
    }
}
