package dev.paddock.executor.kubernetes;

import dev.paddock.executor.Availability;
import dev.paddock.executor.Progress;
import dev.paddock.executor.kubernetes.source.KeptSandbox;
import dev.paddock.executor.remote.builder.ContainerExecutorBuilder;
import dev.paddock.executor.remote.builder.SynchronizingBuilder;
import dev.paddock.executor.remote.files.SyncSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Collects the options of a {@link KubernetesExecutor}. Not thread-safe.
 *
 * <p>Defaults: the cluster and the namespace that {@code kubectl} would use; the cluster's default image pull policy
 * and runtime class; an open network, if no policy is set; the worktree, if one is named, synchronized with {@code
 * /work}, else an empty directory there; in a running pod its own files, unless a {@linkplain #remoteDirectory remote
 * directory} is named; 65532 as user, or the owner of a worktree that a volume shares, unless that is root; 2 minutes
 * for the start; an end after 24 hours; the pod is created, or claimed, at the first command.
 *
 * @since 0.1
 */
public final class KubernetesExecutorBuilder extends ContainerExecutorBuilder<KubernetesExecutorBuilder>
        implements SynchronizingBuilder<KubernetesExecutorBuilder> {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

    private final KubernetesOptions wanted = new KubernetesOptions();

    KubernetesExecutorBuilder() {}

    @Override
    protected KubernetesExecutorBuilder self() {
        return this;
    }

    /**
     * Attaches to a running pod instead of creating one.
     *
     * @param value its name
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder pod(String value) {
        wanted.pod = name("pod", value);
        return this;
    }

    /**
     * Runs commands in a sandbox of the cluster's own controller, kubernetes-sigs/agent-sandbox: makes a claim at the
     * first command, and deletes it at disposal. The template specifies the pod, which is compared with the policy. In
     * a cluster that serves {@code v1beta1} the template needs a SandboxWarmPool; of several, the executor claims from
     * the one with the most ready sandboxes.
     *
     * @param template the name of a SandboxTemplate of the namespace
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder claim(String template) {
        wanted.template = name("template", template);
        return this;
    }

    /**
     * Keeps the claim: the executor uses an existing one of this name, resumes it if it is suspended, and leaves it at
     * disposal. {@link KubernetesProvider#suspend} and {@link KubernetesProvider#discard} end it.
     *
     * @param value the claim's name; by default each executor makes its own claim
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder claimName(String value) {
        wanted.claimName = name("claim", value);
        return this;
    }

    /**
     * Runs commands in the pod of an existing Sandbox, and leaves it unchanged.
     *
     * @param value its name
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder sandbox(String value) {
        wanted.sandbox = name("sandbox", value);
        return this;
    }

    /**
     * Names the commands' container in the pod.
     *
     * @param value its name; the pod's first container by default
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder container(String value) {
        wanted.container = name("container", value);
        return this;
    }

    /**
     * Sets the namespace.
     *
     * @param value its name; the context's by default
     * @return this builder
     * @throws IllegalArgumentException if it can be no name
     */
    public KubernetesExecutorBuilder namespace(String value) {
        wanted.namespace = name("namespace", value);
        return this;
    }

    private static String name(String what, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException("not the name of a " + what + ": '" + value + "'");
        }
        return value;
    }

    /**
     * Sets the kubeconfig's context.
     *
     * @param value its name; the current one by default
     * @return this builder
     */
    public KubernetesExecutorBuilder context(String value) {
        wanted.context = value;
        return this;
    }

    /**
     * Sets the kubeconfig.
     *
     * @param value a file; as {@code kubectl} finds it by default
     * @return this builder
     */
    public KubernetesExecutorBuilder kubeconfig(Path value) {
        wanted.kubeconfig = value;
        return this;
    }

    /**
     * Gives the commands an empty directory in the pod instead of the policy's worktree.
     *
     * @return this builder
     */
    public KubernetesExecutorBuilder withoutWorktree() {
        wanted.hasWorktree = false;
        return this;
    }

    @Override
    public KubernetesExecutorBuilder remoteDirectory(String value) {
        wanted.remoteDirectory = SyncSettings.requireDirectory(value);
        return this;
    }

    /**
     * Shares the worktree through a claim that this machine mounts too. The executor proves before the first command
     * that the pod sees the same directory.
     *
     * @param claim the name of a PersistentVolumeClaim of the namespace
     * @param subPath the worktree's directory inside it; empty for all of it
     * @return this builder
     */
    public KubernetesExecutorBuilder worktreeVolume(String claim, String subPath) {
        wanted.volumeClaim = name("claim", claim);
        wanted.volumePath = subPath;
        return this;
    }

    /**
     * Shares the worktree through a directory of the pod's node, if this machine is the node, or both mount one file
     * server. The executor proves before the first command that the pod sees the same directory.
     *
     * @param path an absolute path on the node; {@code .} for the worktree's path on this machine
     * @return this builder
     * @throws IllegalArgumentException if it is neither
     */
    public KubernetesExecutorBuilder worktreeHostPath(String path) {
        if (!path.startsWith("/") && !path.equals(KubernetesOptions.SAME_PATH)) {
            throw new IllegalArgumentException("not an absolute path of the node: '" + path + "'");
        }
        wanted.volumePath = path;
        return this;
    }

    /**
     * Sets the image pull policy.
     *
     * @param value {@code Always}, {@code IfNotPresent} or {@code Never}
     * @return this builder
     * @throws IllegalArgumentException if it is none of these
     */
    public KubernetesExecutorBuilder pullPolicy(String value) {
        if (!Set.of("Always", "IfNotPresent", "Never").contains(value)) {
            throw new IllegalArgumentException(
                    "the pull policy must be 'Always', 'IfNotPresent' or 'Never', not '" + value + "'");
        }
        wanted.pullPolicy = value;
        return this;
    }

    /**
     * Adds a secret for pulling the image.
     *
     * @param value the secret's name
     * @return this builder
     */
    public KubernetesExecutorBuilder pullSecret(String value) {
        wanted.pullSecrets.add(name("secret", value));
        return this;
    }

    /**
     * Sets the runtime class, for instance gVisor's or Kata's.
     *
     * @param value its name
     * @return this builder
     */
    public KubernetesExecutorBuilder runtimeClass(String value) {
        wanted.runtimeClass = name("runtime class", value);
        return this;
    }

    /**
     * Restricts the pod to nodes with a label.
     *
     * @param label the label's name
     * @param value its value
     * @return this builder
     */
    public KubernetesExecutorBuilder nodeSelector(String label, String value) {
        wanted.nodeSelector.put(label, value);
        return this;
    }

    /**
     * Adds a label to the pod.
     *
     * @param label the label's name
     * @param value its value
     * @return this builder
     */
    public KubernetesExecutorBuilder label(String label, String value) {
        wanted.labels.put(label, value);
        return this;
    }

    /**
     * Sets how long the pod may take to start.
     *
     * @param value 2 minutes by default
     * @return this builder
     */
    public KubernetesExecutorBuilder startTimeout(Duration value) {
        wanted.bounds = wanted.bounds.withStart(value);
        return this;
    }

    /**
     * Sets the deadline at which the cluster ends the pod.
     *
     * @param value from the pod's start; 24 hours by default
     * @return this builder
     */
    public KubernetesExecutorBuilder deadline(Duration value) {
        wanted.bounds = wanted.bounds.withDeadline(value);
        return this;
    }

    /** Sets how long the cluster may take to enforce a policy without a network; 10 seconds by default. */
    KubernetesExecutorBuilder networkOffTimeout(Duration value) {
        wanted.bounds = wanted.bounds.withNetworkOff(value);
        return this;
    }

    /**
     * Registers a listener for what a starting pod waits for, and for the progress of long file transfers.
     *
     * @param listener receives the cluster's own words; must return quickly
     * @return this builder
     */
    public KubernetesExecutorBuilder onProgress(Consumer<String> listener) {
        wanted.progress = listener;
        return this;
    }

    KubernetesExecutorBuilder onTransfer(Consumer<Progress> listener) {
        wanted.transfer = listener;
        return this;
    }

    @Override
    public KubernetesExecutorBuilder maxFetch(long bytes) {
        wanted.limits = wanted.limits.withBytes(bytes);
        return this;
    }

    @Override
    public KubernetesExecutorBuilder fetchTimeout(Duration value) {
        wanted.limits = wanted.limits.withTime(value);
        return this;
    }

    KubernetesOptions.Parts parts() {
        return wanted.parts(options());
    }

    /** Returns whether the cluster can serve the claim. */
    Availability readiness() {
        return wanted.readiness();
    }

    /** Returns the sandbox of the kept claim; empty if none is named. */
    Optional<KeptSandbox> kept() {
        return wanted.kept();
    }

    /**
     * Builds the executor. The caller disposes of it.
     *
     * @return the executor
     * @throws IllegalArgumentException unless exactly one of an image, a pod, a claim and a sandbox is named, or if
     *     other options contradict it
     * @throws dev.paddock.executor.UnsupportedPolicyException if a pod cannot enforce the policy, or this cluster does
     *     not enforce a disabled network
     * @throws dev.paddock.executor.SandboxUnavailableException if the pod is created now and does not start
     */
    public KubernetesExecutor build() {
        KubernetesOptions.Parts parts = parts();
        KubernetesExecutor executor = new KubernetesExecutor(parts);
        if (isEager() || parts.mustStart()) {
            executor.start();
        }
        return executor;
    }
}
