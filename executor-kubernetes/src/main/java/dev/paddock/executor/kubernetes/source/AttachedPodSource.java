package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxLostException;
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
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteProvider;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.remote.shell.ProcStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Supplies a container of a pod that the executor did not specify: a running pod, or a sandbox's. */
public final class AttachedPodSource implements RemoteProvider {
    private static final System.Logger LOG = LateLogger.of(AttachedPodSource.class);

    private final Cluster cluster;
    private final PodFinder pods;
    private final Map<String, String> environment;
    private final Optional<PodFiles> files;
    private final int warmSlots;

    /** The opened pod; empty before the first. */
    private volatile Optional<PodName> opened = Optional.empty();

    /** The run of the opened pod; empty before the first. */
    private volatile String lastRun = "";

    /** Polls the open pod for liveness; replaced when the pod is opened again. */
    private volatile Optional<PodLease> pulse = Optional.empty();

    private AttachedPodSource(
            Cluster cluster, PodFinder pods, Map<String, String> environment, Optional<PodFiles> files, int warmSlots) {
        this.cluster = cluster;
        this.pods = pods;
        this.environment = PodFiles.environment(files, environment);
        this.files = files;
        this.warmSlots = warmSlots;
    }

    /**
     * Returns a source of a running pod, which the executor never deletes; contacts the cluster later.
     *
     * @param files synchronizes a worktree with a directory of the pod; closed with the source
     */
    public static AttachedPodSource of(
            Cluster cluster, PodName pod, Map<String, String> environment, Optional<PodFiles> files, int warmSlots) {
        return new AttachedPodSource(cluster, new NamedPod(cluster, pod), environment, files, warmSlots);
    }

    /**
     * Returns a source of a sandbox's pod; contacts the cluster later.
     *
     * @param environment the commands' variables
     * @param files synchronizes a worktree with a directory of the pod; closed with the source
     */
    public static AttachedPodSource of(
            Cluster cluster,
            SandboxSettings settings,
            Map<String, String> environment,
            Optional<PodFiles> files,
            int warmSlots) {
        return new AttachedPodSource(cluster, new SandboxPod(cluster, settings), environment, files, warmSlots);
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    /** Returns what is observed from inside, and what the pod's specification ensures. */
    @Override
    public Set<Guarantee> guarantees() {
        Pod seen = pods.find(AbortSignal.never());
        PodName name = pods.name(seen);
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        kept.addAll(pods.guarantees(
                seen, () -> ProcStatus.read(new PodConnection(cluster, name).open(ProcStatus.COMMAND))));
        if (files.isPresent()) {
            kept.add(Guarantee.PROTECTED_PATHS);
        }
        return kept;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return files.map(synchronizing -> synchronizing.synced().worktree());
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        Pod seen = pods.find(signal);
        PodName pod = pods.name(seen);
        opened = Optional.of(pod);
        String run = PodState.run(seen, pod.container());
        SystemContext inside =
                new SystemContext(pod.pod(), run, List.of(), 0, OrphanPolicy.MARKED, pods.memoryLimit(seen));
        if (pods.mayHaveStaleFiles() && !run.equals(lastRun)) {
            files.ifPresent(synchronizing -> clear(pod, synchronizing));
        }
        lastRun = run;
        pulse.ifPresent(PodLease::close);
        pulse = Optional.of(PodLease.pulse(cluster, pod));
        return RemoteSystem.open(new PodConnection(cluster, pod, run, pulse), inside, this, survivors);
    }

    /** Empties the worktree's directory in a pod, if it exists. */
    private void clear(PodName pod, PodFiles files) {
        String directory = files.synced().worktree().commandPath();
        String script = "cd -- \"$1\" 2>/dev/null || exit 0; rm -rf -- ..?* .[!.]* * || echo failed";
        try (ShellChannel remover =
                new PodConnection(cluster, pod).open(List.of("sh", "-c", script, "sh", directory))) {
            if (remover.readText().strip().endsWith("failed")) {
                throw new ExecutorException("the directory '" + directory + "' in " + pod
                        + " has files of an earlier executor that cannot be removed: make them writable there");
            }
        } catch (IOException fault) {
            throw new SandboxLostException(
                    Cluster.BACKEND, pod + " was lost while its files were prepared: " + fault.getMessage(), fault);
        }
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
        return pods.remedy();
    }

    @Override
    public String withoutTerminal() {
        return what() + " is privileged, has added capabilities, or sees the node's processes: commands could"
                + " reach other terminals, so they get none; start the command without a terminal, or name another pod";
    }

    @Override
    public ExecutorException left(String message, Throwable cause) {
        return new Pods.PodLeft(message, cause);
    }

    @Override
    public String what() {
        return pods.what();
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        try {
            opened.ifPresent(pod -> files.ifPresent(last -> fetchAndRemove(last, pod)));
        } finally {
            pulse.ifPresent(PodLease::close);
            try {
                if (pods.release()) {
                    survivors.forEach(RemoteCommand::confirmEnd);
                }
            } finally {
                files.ifPresent(PodFiles::close);
                cluster.close();
            }
        }
    }

    /** Removes the executor's state directory in a pod that stays, but not the worktree's directory. */
    private void fetchAndRemove(PodFiles last, PodName pod) {
        boolean unused = last.fetchLast();
        if (pods.endsWithExecutor()) {
            return;
        }
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
