package dev.paddock.benchmarks.report;

import java.util.List;

/**
 * A ratio that Paddock is to reach.
 *
 * @param row the row that is measured
 * @param other the row that it is compared with
 * @param goal the highest ratio
 */
public record Goal(String row, String other, double goal) {
    public static final List<Goal> ALL = List.of(
            new Goal("host", "plain", 0.5),
            new Goal("host-cold", "plain", 0.6),
            new Goal("landlock", "plain", 0.6),
            new Goal("landlock-cold", "plain", 1.1),
            new Goal("bwrap", "plain", 1.0),
            new Goal("bwrap-cold", "bwrap-bare", 0.95),
            new Goal("docker", "plain", 1.5),
            new Goal("docker", "docker-exec", 0.06));
}
