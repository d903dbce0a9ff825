package dev.paddock.executor.tck;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Enforcement;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.subject.SuiteEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes reference executors, which enforce nothing; refuses every policy that requires more, unless
 * it is broken.
 */
final class ReferenceProvider implements ExecutorProvider {
    private final boolean broken;
    private final Optional<Protecting> protecting;

    /** Makes an executor that protects a worktree. */
    @FunctionalInterface
    interface Protecting {
        ReferenceProtection over(Path root, Map<String, String> variables);
    }

    ReferenceProvider(boolean broken) {
        this(broken, Optional.empty());
    }

    ReferenceProvider(Protecting protecting) {
        this(false, Optional.of(protecting));
    }

    private ReferenceProvider(boolean broken, Optional<Protecting> protecting) {
        this.broken = broken;
        this.protecting = protecting;
    }

    @Override
    public String name() {
        return "reference";
    }

    @Override
    public Availability probe() {
        return new Availability.Usable(
                "reference", protecting.isPresent() ? Set.of(Guarantee.PROTECTED_PATHS) : Set.of());
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        if (!settings.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + settings.keySet());
        }
        List<String> unsupported = unsupported(policy);
        if (!broken && !unsupported.isEmpty()) {
            throw new UnsupportedPolicyException(name(), unsupported);
        }
        Map<String, String> variables = policy.environment().resolve(SuiteEnvironment.variables());
        if (protecting.isPresent()) {
            return protecting.get().over(policy.worktree().hostPath(), variables);
        }
        return new ReferenceExecutor() {
            @Override
            Map<String, String> base() {
                Map<String, String> base = new TreeMap<>(super.base());
                base.putAll(variables);
                return base;
            }
        };
    }

    private List<String> unsupported(SandboxPolicy policy) {
        List<String> unsupported = new ArrayList<>();
        if (!policy.worktree().isSame()) {
            unsupported.add("the worktree at " + policy.worktree().commandPath());
        }
        for (Mount mount : policy.mounts()) {
            if (mount.access() == Mount.Access.READ_ONLY
                    || !mount.target().equals(mount.source().toString())) {
                unsupported.add("the mount at " + mount.target());
            }
        }
        switch (policy.network()) {
            case NetworkPolicy.Open open -> {}
            case NetworkPolicy.Off off -> unsupported.add("network off");
            case NetworkPolicy.Allow allow -> unsupported.add("network of " + allow.hosts());
        }
        if (policy.limits().demand() == Enforcement.REQUIRED && !policy.limits().equals(ResourceLimits.none())) {
            unsupported.add("limits " + policy.limits());
        }
        if (policy.protectedPaths().demand() == Enforcement.REQUIRED && protecting.isEmpty()) {
            unsupported.add("protected paths");
        }
        return unsupported;
    }
}
