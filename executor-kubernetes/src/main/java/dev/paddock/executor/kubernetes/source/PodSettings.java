package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodSpecification;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of a managed pod.
 *
 * @param namespace empty for the context's
 * @param volume the volume that the host and the pod share; empty without one
 * @param isSynchronized whether the pod's own directory is synchronized with the worktree instead
 * @param progress receives what a starting pod waits for
 */
public record PodSettings(
        String image,
        Optional<String> namespace,
        SandboxPolicy policy,
        Optional<PodSpecification.WorktreeVolume> volume,
        boolean isSynchronized,
        Optional<String> pullPolicy,
        Optional<String> runtimeClass,
        List<String> pullSecrets,
        Map<String, String> nodeSelector,
        Map<String, String> labels,
        PodBounds bounds,
        Path quarantine,
        int warmSlots,
        Consumer<String> progress) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Returns whether commands work on the host's worktree, shared or synchronized. */
    boolean hasWorktree() {
        return volume.isPresent() || isSynchronized;
    }

    /** Returns whether commands must not reach any network; a pod must prove it. */
    public boolean isNetworkOff() {
        return policy.network() instanceof NetworkPolicy.Off;
    }

    String namespace(Cluster cluster) {
        return namespace.orElseGet(cluster::namespace);
    }

    PodSpecification specification() {
        byte[] bytes = new byte[6];
        RANDOM.nextBytes(bytes);
        return new PodSpecification(
                "paddock-" + HexFormat.of().formatHex(bytes),
                image,
                pullPolicy,
                labels,
                Map.of(PodSpecification.OWNER, OwnerId.current().toString()),
                volume,
                policy.worktree().commandPath(),
                user(),
                policy.limits(),
                runtimeClass,
                pullSecrets,
                nodeSelector,
                bounds.deadline());
    }

    /** Returns the owner of a shared worktree; never root. */
    private long user() {
        Path directory = policy.worktree().hostPath();
        if (volume.isEmpty()) {
            return PodSpecification.DEFAULT_USER;
        }
        try {
            int owner = (Integer) Files.getAttribute(directory, "unix:uid");
            return owner == 0 ? PodSpecification.DEFAULT_USER : owner;
        } catch (UnsupportedOperationException elsewhere) {
            return PodSpecification.DEFAULT_USER;
        } catch (IOException fault) {
            throw new IllegalArgumentException(
                    "the worktree '" + directory + "' cannot be examined: " + FileFaults.reason(fault), fault);
        }
    }
}
