package dev.paddock.harness.audit;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
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
        lines.add("network " + policy.network());
        lines.add("protected " + new TreeSet<>(policy.protectedPaths().names()) + " "
                + policy.protectedPaths().demand());
        lines.add("limits " + policy.limits());
        return lines;
    }
}
