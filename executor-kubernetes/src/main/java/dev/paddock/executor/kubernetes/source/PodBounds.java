package dev.paddock.executor.kubernetes.source;

import java.time.Duration;

/**
 * How long a cluster may take for a managed pod, and how long the pod may last.
 *
 * @param start until the pod runs
 * @param networkOff until the cluster enforces a NetworkPolicy
 * @param deadline from the pod's start, after which the cluster ends it
 */
public record PodBounds(Duration start, Duration networkOff, Duration deadline) {
    /** Two minutes, ten seconds, a day. */
    public static final PodBounds STANDARD =
            new PodBounds(Duration.ofMinutes(2), Duration.ofSeconds(10), Duration.ofHours(24));

    public PodBounds withStart(Duration value) {
        return new PodBounds(value, networkOff, deadline);
    }

    public PodBounds withNetworkOff(Duration value) {
        return new PodBounds(start, value, deadline);
    }

    public PodBounds withDeadline(Duration value) {
        return new PodBounds(start, networkOff, value);
    }
}
