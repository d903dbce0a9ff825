package dev.paddock.harness.audit;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** States a policy in short texts, without the values of environment variables. */
final class PolicySummary {
    private PolicySummary() {}

    /**
     * Returns the texts.
     *
     * @param redaction applied to each text, and to each name of a protected path, since there are many
     */
    static List<String> of(SandboxPolicy policy, UnaryOperator<String> redaction) {
        List<String> lines = new ArrayList<>();
        lines.add(redaction.apply("worktree " + policy.worktree().hostPath() + " at "
                + policy.worktree().commandPath()));
        for (Mount mount : policy.mounts()) {
            lines.add(redaction.apply("mount " + mount.source() + " at " + mount.target() + " " + mount.access()));
        }
        lines.add(redaction.apply("network " + network(policy.network())));
        StringJoiner names = new StringJoiner(", ", "protected [", "] ");
        new TreeSet<>(policy.protectedPaths().names()).forEach(name -> names.add(redaction.apply(name)));
        lines.add(names.toString() + policy.protectedPaths().demand());
        lines.add("limits " + limits(policy.limits()));
        return lines;
    }

    private static String network(NetworkPolicy network) {
        if (network instanceof NetworkPolicy.Allow allow) {
            return "allow " + String.join(", ", allow.hosts());
        }
        return network instanceof NetworkPolicy.Open ? "open" : "off";
    }

    /** Avoids the record's toString, which generates classes: slower than many commands. */
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
