package dev.paddock.executor.kubernetes;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.remote.command.RemoteCommands;
import dev.paddock.executor.remote.files.SyncedFiles;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Runs commands in a pod of a Kubernetes cluster: a running one, one that the executor creates, or that of a sandbox of
 * the cluster's own controller.
 *
 * <p>Attached to a pod, the executor never deletes it. With an image, it creates a pod at the first command and deletes
 * it at disposal; the pod also ends when the JVM exits or is killed. A claim of a sandbox is made and deleted likewise;
 * if the JVM is killed, its commands end, and a sweep or the claim's deadline ends the sandbox.
 *
 * <p>The executor synchronizes the named worktree with the pod's directory before and after each command, unless a
 * volume shares it; the image then needs {@code find}, {@code stat}, {@code xargs}, {@code tar}, {@code gzip}, {@code
 * cmp} and {@code dd}, from GNU or BusyBox. A pod that replaces a lost one starts with the host's files.
 *
 * <p>An image needs {@code sh}; a command with a pipe for its input also needs {@code dd}, since the API's exec call
 * cannot close stdin alone. Death by signal n is reported as 128 + n, like an exit code of that value: {@link
 * Guarantee#EXACT_STATUS} is not claimed. A pod has its cluster's network. For a policy that switches it off, the pod
 * is created when the executor is built, and a NetworkPolicy with it: {@link Guarantee#NETWORK_OFF} is claimed if the
 * pod then reaches nothing; otherwise the policy is refused.
 *
 * <p>The cluster is the one that {@code kubectl} would use: the current context of {@code KUBECONFIG} or {@code
 * ~/.kube/config}, or the service account of the JVM's pod.
 *
 * @since 0.1
 */
public final class KubernetesExecutor implements CommandExecutor {
    private final RemoteCommands commands;
    private final Optional<SyncedFiles> files;
    private volatile boolean disposed;

    /**
     * Attaches to a container of a running pod in the current context's cluster. The first command contacts the
     * cluster.
     *
     * @param namespace the pod's namespace
     * @param pod its name; the executor never deletes it
     * @param container the container's name
     */
    public KubernetesExecutor(String namespace, String pod, String container) {
        this(builder().namespace(namespace).pod(pod).container(container).parts());
    }

    KubernetesExecutor(KubernetesOptions.Parts parts) {
        commands = new RemoteCommands(parts.source());
        files = parts.files();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @return the builder
     */
    public static KubernetesExecutorBuilder builder() {
        return new KubernetesExecutorBuilder();
    }

    @Override
    public String name() {
        return Cluster.BACKEND;
    }

    @Override
    public boolean copiesFiles() {
        return files.isPresent();
    }

    @Override
    public Optional<String> awaitedFiles() {
        return files.flatMap(SyncedFiles::awaited);
    }

    /**
     * Returns what the pod enforces. Asks the cluster once, unless the executor specifies the pod; makes a claim for
     * that.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the cluster or the pod is not available
     */
    @Override
    public Set<Guarantee> guarantees() {
        return commands.guarantees();
    }

    @Override
    public Set<CommandShell> shells() {
        return RemoteCommands.SHELLS;
    }

    @Override
    public boolean isKept(Path path) {
        return commands.isKept(path)
                || files.filter(synced -> synced.isKept(path)).isPresent();
    }

    @Override
    public Optional<PathMapping> worktree() {
        return commands.worktree();
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return files.isPresent() ? files.get().spawn(commands, command, options) : commands.spawn(command, options);
    }

    @Override
    public void dispose() {
        disposed = true;
        commands.dispose();
    }

    @Override
    public boolean isDisposed() {
        return disposed;
    }

    /**
     * Returns the name of the commands' pod, for use with {@code kubectl}. The executor still owns a pod that it
     * created.
     *
     * @return the name; empty before the pod has been created
     */
    public Optional<String> pod() {
        return commands.systemId();
    }

    /** Creates the pod, and warm slots, before the first command. */
    void start() {
        commands.start(this);
    }
}
