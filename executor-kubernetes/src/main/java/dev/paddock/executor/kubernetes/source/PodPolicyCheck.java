package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;

/** Compares a policy with what a pod can enforce. */
public final class PodPolicyCheck {
    private static final String NETWORK = "the pod has its cluster's network, and Paddock did not create it";
    private static final String NETWORK_REMEDY =
            "set it to 'open', or name an image: whether the cluster keeps the" + " network off is proven in a new pod";

    private PodPolicyCheck() {}

    /**
     * Returns the check for a managed pod. A disabled network passes here; it is proven in the pod.
     *
     * @param hasWorktree whether the host and the pod share the worktree, or it is synchronized
     */
    public static PolicyCheck of(SandboxPolicy policy, boolean hasWorktree) {
        return PolicyCheck.of(policy, managed(hasWorktree));
    }

    private static Capabilities managed(boolean hasWorktree) {
        Capabilities left = Capabilities.of(Cluster.BACKEND)
                .withoutChosenHosts()
                .withoutHiddenPaths()
                .without(
                        Feature.MOUNTS,
                        "a pod sees none of this machine's directories but the worktree's volume",
                        "put it into the image or the worktree")
                .without(
                        Feature.PROCESS_LIMIT,
                        "the limit of processes is the kubelet's (podPidsLimit)",
                        "leave the limit out")
                .without(
                        Feature.UNIX_SOCKETS_OFF,
                        "a pod's system-call filter is its node's",
                        "allow Unix sockets: a pod cannot reach this machine's")
                .without(Feature.FILE_SIZE_LIMIT, "a pod cannot limit the size of a file", "leave the limit out");
        return hasWorktree
                ? left
                : left.without(
                        Feature.PROTECTED_PATHS,
                        "the worktree in the pod is the pod's own",
                        "synchronize the worktree, share it by a volume, or demand them as far as possible");
    }

    /**
     * Returns the check for the pod of a sandbox that needs no pod: {@link PodConfinement} compares the limits with the
     * pod's.
     *
     * @param isSynchronized whether a directory of it is synchronized with the worktree
     */
    public static PolicyCheck sandbox(SandboxPolicy policy, boolean isSynchronized) {
        return PolicyCheck.of(
                policy,
                managed(isSynchronized)
                        .without(
                                Feature.NETWORK_OFF,
                                "the pod has the network of its template, which Paddock did not make",
                                NETWORK_REMEDY));
    }

    /**
     * Returns the check for a pod that the executor did not create.
     *
     * @param isSynchronized whether a directory of it is synchronized with the worktree
     */
    public static PolicyCheck attached(SandboxPolicy policy, boolean isSynchronized) {
        String configured = "the pod runs already, as its maker specified it";
        String remedy = "specify it when the pod is made, or name an image";
        Capabilities left = Capabilities.of(Cluster.BACKEND)
                .withoutChosenHosts()
                .withoutHiddenPaths()
                .without(Feature.NETWORK_OFF, NETWORK, NETWORK_REMEDY);
        for (Feature feature : new Feature[] {
            Feature.MOUNTS,
            Feature.UNIX_SOCKETS_OFF,
            Feature.MEMORY_LIMIT,
            Feature.CPU_LIMIT,
            Feature.PROCESS_LIMIT,
            Feature.FILE_SIZE_LIMIT
        }) {
            left = left.without(feature, configured, remedy);
        }
        if (!isSynchronized) {
            left = left.without(
                    Feature.PROTECTED_PATHS,
                    "the files in the pod are the pod's own",
                    "name a directory of the pod to synchronize (remoteDirectory), or demand them as far as possible");
        }
        return PolicyCheck.of(policy, left);
    }
}
