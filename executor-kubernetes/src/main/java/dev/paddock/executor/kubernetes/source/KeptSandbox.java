package dev.paddock.executor.kubernetes.source;

import dev.paddock.executor.kubernetes.cluster.Claims;
import dev.paddock.executor.kubernetes.cluster.Claims.Claim;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.ClusterSandbox;
import java.time.Duration;

/** The sandbox of a kept claim. Closing it closes the cluster. */
public record KeptSandbox(Cluster cluster, Claim claim) implements AutoCloseable {
    /** How long a suspension waits until the cluster deletes the pod. */
    static final Duration END = Duration.ofSeconds(5);

    /** Returns the kept claim of settings. */
    public static KeptSandbox of(Cluster cluster, SandboxSettings settings) {
        return new KeptSandbox(cluster, settings.claim(cluster));
    }

    /**
     * Suspends the sandbox, if it exists: its pod ends, its volumes stay.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the server does not answer, or refuses
     */
    public void suspend() {
        Claims.sandbox(cluster, claim)
                .ifPresent(name -> new ClusterSandbox(cluster, claim.namespace(), name).suspend(END));
    }

    /**
     * Deletes the claim, if it exists, and so the sandbox and its volumes.
     *
     * @throws dev.paddock.executor.SandboxUnavailableException if the server does not answer, or refuses
     */
    public void discard() {
        Claims.delete(cluster, claim);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
