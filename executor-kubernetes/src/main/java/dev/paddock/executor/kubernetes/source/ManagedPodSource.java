package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.NetworkDenial;
import dev.paddock.executor.kubernetes.cluster.PodConnection;
import dev.paddock.executor.kubernetes.cluster.PodLease;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.kubernetes.cluster.PodSpecification;
import dev.paddock.executor.kubernetes.cluster.PodState;
import dev.paddock.executor.kubernetes.cluster.Pods;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.RemoteCommand;
import dev.paddock.executor.remote.command.RemoteProvider;
import dev.paddock.executor.remote.command.RemoteSystem;
import dev.paddock.executor.remote.command.SystemContext;
import dev.paddock.executor.remote.command.WorktreeProtection;
import dev.paddock.executor.remote.shell.OrphanPolicy;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.worktree.SessionContainer;
import dev.paddock.executor.worktree.WorktreeGuard;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Manages the executor's pod: creates it on demand, replaces it after a loss, deletes it at the
 * end.
 */
public final class ManagedPodSource implements RemoteProvider {
    /** Listed one by one, so that pods do not claim a guarantee added later. */
    private static final Set<Guarantee> OF_EVERY_POD = EnumSet.of(
            Guarantee.WRITE_CONFINED,
            Guarantee.READ_CONFINED,
            Guarantee.UNIX_SOCKETS_OFF,
            Guarantee.TREE_KILL,
            Guarantee.DIES_WITH_HOST,
            Guarantee.PRIVATE_TMP,
            Guarantee.PRIVATE_HOME,
            Guarantee.MEMORY_LIMIT,
            Guarantee.CPU_LIMIT,
            Guarantee.NO_NEW_PRIVILEGES,
            Guarantee.TERMINAL);

    private static final System.Logger LOG = LateLogger.of(ManagedPodSource.class);

    /** Prefix of a pod's address in a worktree's journal. */
    private static final String JOURNAL = "kubernetes ";

    private final Cluster cluster;
    private final PodSettings settings;

    /** Guards a worktree that the host and the pod share. */
    private final Optional<WorktreeProtection> protection;

    private final Optional<PodFiles> files;
    private final Map<String, String> environment;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable Held held;

    /** Guarded by {@link #opening}. */
    private @Nullable PodRecord record;

    /** A pod and the lease that keeps it alive. */
    private record Held(PodName pod, Pod seen, PodLease lease) {}

    /**
     * Creates the source; the pod is created at the first command.
     *
     * @param files synchronizes a worktree with the pod; closed with the source
     */
    public ManagedPodSource(
            Cluster cluster, PodSettings settings, Optional<PodFiles> files, Map<String, String> hostEnvironment) {
        this.cluster = cluster;
        this.settings = settings;
        this.files = files;
        this.protection = settings.volume().isPresent()
                ? Optional.of(WorktreeProtection.over(
                        Cluster.BACKEND, settings.policy(), settings.quarantine(), this::isEnded))
                : Optional.empty();
        Map<String, String> variables = new HashMap<>();
        variables.put("HOME", Mount.HOME);
        variables.putAll(settings.policy().environment().resolve(hostEnvironment));
        this.environment = PodFiles.environment(files, variables);
    }

    /**
     * Requires that a pod can enforce the policy.
     *
     * @throws dev.paddock.executor.UnsupportedPolicyException if it cannot
     */
    public static void require(PodSettings settings) {
        PolicyCheck check = PodPolicyCheck.of(settings.policy(), settings.hasWorktree());
        (settings.hasWorktree() ? check.apartFrom(WorktreeProtection.stateDirectory(), settings.quarantine()) : check)
                .require();
    }

    /**
     * Returns what a managed pod guarantees on any cluster. Whether the network is off depends on the cluster and is
     * proven only in a pod.
     *
     * @param hasWorktree whether commands work on the host's worktree
     */
    public static Set<Guarantee> kept(boolean hasWorktree) {
        Set<Guarantee> kept = EnumSet.copyOf(OF_EVERY_POD);
        if (hasWorktree) {
            kept.add(Guarantee.PROTECTED_PATHS);
        }
        return kept;
    }

    @Override
    public Map<String, String> environment() {
        return environment;
    }

    @Override
    public Set<Guarantee> guarantees() {
        Set<Guarantee> kept = kept(settings.hasWorktree());
        if (settings.isNetworkOff()) {
            kept.add(Guarantee.NETWORK_OFF); // proven in each pod before its first command
        }
        return kept;
    }

    @Override
    public Optional<PathMapping> worktree() {
        return files.map(synchronizing -> synchronizing.synced().worktree())
                .or(() -> settings.volume().map(shared -> settings.policy().worktree()));
    }

    @Override
    public RemoteSystem open(List<RemoteCommand> survivors, AbortSignal signal) {
        opening.lock();
        try {
            Held now = reusable();
            if (now == null) {
                release();
                now = start(signal);
                held = now;
                PodSweep.inBackground(cluster, settings.namespace(cluster), false);
            }
            SystemContext inside = new SystemContext(
                    now.pod().pod(),
                    PodState.run(now.seen(), now.pod().container()),
                    List.of(),
                    0,
                    OrphanPolicy.ALL,
                    settings.policy().limits().memoryBytes());
            return open(now, inside, survivors);
        } finally {
            opening.unlock();
        }
    }

    private RemoteSystem open(Held now, SystemContext inside, List<RemoteCommand> survivors) {
        try {
            PodConnection connection = new PodConnection(cluster, now.pod(), inside.run(), Optional.of(now.lease()));
            return RemoteSystem.open(connection, inside, this, survivors);
        } catch (RuntimeException fault) {
            try {
                release();
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        }
    }

    @Override
    public boolean isKept(Path path) {
        return protection.filter(guarded -> guarded.isKept(path)).isPresent();
    }

    @Override
    public Optional<WorktreeGuard.Command> announce() {
        return protection.map(WorktreeProtection::announce);
    }

    private String journalName(PodName pod) {
        return JOURNAL + pod.namespace() + "/" + pod.pod() + " " + cluster.where();
    }

    /** Deletes a killed session's pod; returns false if that is not confirmed. */
    private boolean isEnded(SessionContainer left) {
        String[] words = left.engine().split("[ /]", 4);
        if (!left.engine().startsWith(JOURNAL) || words.length < 4 || !words[3].equals(cluster.where())) {
            return false;
        }
        try {
            Pods.delete(cluster, words[1], words[2]);
            return true;
        } catch (ExecutorException fault) {
            LOG.log(System.Logger.Level.WARNING, fault.getMessage());
            return false;
        }
    }

    /** Returns the previous pod if it still runs, after an outage of the API server. */
    private @Nullable Held reusable() {
        Held last = held;
        if (last == null || !last.lease().isOpen()) {
            return null;
        }
        return cluster.pod(last.pod().namespace(), last.pod().pod())
                        .filter(pod -> pod.getMetadata()
                                .getUid()
                                .equals(last.seen().getMetadata().getUid()))
                        .filter(pod -> PodState.runs(pod, last.pod().container()))
                        .isPresent()
                ? last
                : null;
    }

    private Held start(AbortSignal signal) {
        PodSpecification specification = settings.specification();
        String namespace = settings.namespace(cluster);
        if (record == null) {
            record = PodRecord.of(cluster, namespace);
        }
        Pod seen = Pods.start(
                cluster, namespace, specification.pod(), settings.bounds().start(), settings.progress(), signal);
        PodName name = new PodName(namespace, specification.name(), PodSpecification.CONTAINER);
        try {
            PodLease lease = PodLease.of(cluster, name);
            Held started = new Held(name, seen, lease);
            try {
                protection.ifPresent(guard ->
                        guard.runsIn(SessionContainer.running(seen.getMetadata().getUid(), journalName(name))));
                if (settings.isNetworkOff()) {
                    NetworkProof.require(
                            new PodConnection(cluster, name),
                            () -> NetworkDenial.create(cluster, seen),
                            settings.bounds().networkOff());
                }
                settings.volume()
                        .ifPresent(shared -> SharedDirectoryProof.require(
                                new PodConnection(cluster, name),
                                settings.policy().worktree()));
                return started;
            } catch (RuntimeException fault) {
                lease.close();
                throw fault;
            }
        } catch (RuntimeException fault) {
            try {
                Pods.delete(cluster, namespace, specification.name());
            } catch (ExecutorException left) {
                fault.addSuppressed(left);
            }
            throw fault;
        }
    }

    private void release() {
        Held last = held;
        if (last != null) {
            last.lease().close();
            Pods.delete(cluster, last.pod().namespace(), last.pod().pod());
            held = null;
        }
    }

    @Override
    public boolean end() {
        try {
            boolean unused = files.map(PodFiles::fetchBeforeEnd).orElse(true);
            release();
            return true;
        } catch (ExecutorException left) {
            LOG.log(System.Logger.Level.WARNING, left.getMessage());
            return false;
        }
    }

    @Override
    public void requirePublishing(SpawnOptions options) {
        options.refusePublishing(
                backend(), "its commands run in a pod; 'kubectl port-forward POD PORT' brings a port of it here");
    }

    @Override
    public int warmSlots() {
        return settings.warmSlots();
    }

    @Override
    public String backend() {
        return Cluster.BACKEND;
    }

    @Override
    public String remedy() {
        Held now = held;
        return now == null
                ? "look at the cluster (kubectl cluster-info)"
                : "delete the pod (kubectl delete pod " + now.pod().pod() + " --force)";
    }

    @Override
    public String withoutTerminal() {
        return "commands in " + what() + " get no terminal; start the command without one";
    }

    @Override
    public ExecutorException left(String message, Throwable cause) {
        return new Pods.PodLeft(message, cause);
    }

    @Override
    public String what() {
        Held now = held;
        return now == null
                ? "a pod of the image '" + settings.image() + "'"
                : now.pod().toString();
    }

    @Override
    public void dispose(List<RemoteCommand> survivors) {
        opening.lock();
        try {
            if (held != null) {
                boolean unused = files.map(PodFiles::fetchLast).orElse(true);
            }
            release();
            survivors.forEach(RemoteCommand::confirmEnd);
            if (record != null) {
                record.close();
            }
        } catch (SandboxUnavailableException unreachable) {
            throw new Pods.PodLeft(
                    what() + " may remain in the cluster, since " + unreachable.reason()
                            + ". It ends by itself; the next executor deletes it once this process has ended",
                    unreachable);
        } finally {
            opening.unlock();
            protection.ifPresent(WorktreeProtection::close);
            files.ifPresent(PodFiles::close);
            cluster.close();
        }
    }

    static SandboxUnavailableException unusable(String reason, String remedy) {
        return new SandboxUnavailableException(Cluster.BACKEND, new Availability.Unusable(reason, remedy));
    }
}
