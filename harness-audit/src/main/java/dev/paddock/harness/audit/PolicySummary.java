package dev.paddock.harness.audit;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;

/** States a policy in short texts, without the values of environment variables. */
final class PolicySummary {
    private PolicySummary() {}

    static List<String> of(SandboxPolicy policy) {
        List<String> lines = new ArrayList<>();
        lines.add("worktree " + policy.worktree().hostPath() + " at "
                + policy.worktree().commandPath());
        for (Mount mount : policy.mounts()) {
            lines.add("mount " + mount.source() + " at " + mount.target() + " " + mount.access());
        }
        lines.add("network " + network(policy.network()));
        lines.add("protected " + new TreeSet<>(policy.protectedPaths().names()) + " "
                + policy.protectedPaths().demand());
        lines.add("limits " + limits(policy.limits()));
        return lines;
    }

    private static String network(NetworkPolicy network) {
        if (network instanceof NetworkPolicy.Allow allow) {
            return "allow " + String.join(", ", allow.hosts());
        }
        return network instanceof NetworkPolicy.Open ? "open" : "off";
    }

    /** Not the record's own text, whose making generates classes: longer than many a command takes. */
    private static String limits(ResourceLimits limits) {
        StringJoiner set = new StringJoiner(", ");
        set.setEmptyValue("none");
        limits.memoryBytes().ifPresent(bytes -> set.add("memory " + bytes + " bytes"));
        limits.cpus().ifPresent(number -> set.add("cpus " + number));
        limits.processes().ifPresent(number -> set.add("processes " + number));
        limits.fileSizeBytes().ifPresent(bytes -> set.add("file size " + bytes + " bytes"));
        return set + " " + limits.demand();
    }
}
