package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.Claims.Claim;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.policy.ResourceLimits;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of an executor in a sandbox of the cluster's own controller.
 *
 * @param namespace empty for the context's
 * @param container the container's name; empty for the pod's first one
 * @param limits the limits that the pod must enforce
 * @param bounds how long the sandbox may take, and last
 * @param progress receives what a starting sandbox waits for
 */
public record SandboxSettings(
        Origin origin,
        Optional<String> namespace,
        String container,
        ResourceLimits limits,
        PodBounds bounds,
        Consumer<String> progress) {
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Which sandbox an executor uses: an existing one, or that of a claim.
     *
     * @param sandbox the name of an existing one
     * @param template the template of a claim
     * @param kept the name of a claim that outlives the executor
     */
    public record Origin(Optional<String> sandbox, Optional<String> template, Optional<String> kept) {
        /** Returns an existing sandbox, which the executor leaves unchanged. */
        public static Origin existing(String sandbox) {
            return new Origin(Optional.of(sandbox), Optional.empty(), Optional.empty());
        }

        /** Returns a claim of a template; one without a name is deleted with the executor. */
        public static Origin claim(String template, Optional<String> kept) {
            return new Origin(Optional.empty(), Optional.of(template), kept);
        }
    }

    String namespace(Cluster cluster) {
        return namespace.orElseGet(cluster::namespace);
    }

    /** Returns the claim, which has a new name each time unless it is kept. */
    Claim claim(Cluster cluster) {
        byte[] bytes = new byte[6];
        RANDOM.nextBytes(bytes);
        return new Claim(
                namespace(cluster),
                origin.kept().orElseGet(() -> "paddock-" + HexFormat.of().formatHex(bytes)),
                origin.template().orElseThrow());
    }
}
