package dev.paddock.executor.tck;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Demand;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes reference executors, which enforce nothing; refuses every policy that asks for more, unless it is broken. */
final class ReferenceProvider implements ExecutorProvider {
    private final boolean broken;

    ReferenceProvider(boolean broken) {
        this.broken = broken;
    }

    @Override
    public String name() {
        return "reference";
    }

    @Override
    public Availability probe() {
        return new Availability.Usable("reference", Set.of());
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        if (!settings.isEmpty()) {
            throw new IllegalArgumentException("unknown settings: " + settings.keySet());
        }
        List<String> unsupported = new ArrayList<>();
        if (!policy.network().equals(NetworkPolicy.open())) {
            unsupported.add("network " + policy.network());
        }
        if (policy.limits().demand() == Demand.REQUIRED
                && (policy.limits().memoryBytes().isPresent()
                        || policy.limits().cpus().isPresent()
                        || policy.limits().processes().isPresent())) {
            unsupported.add("limits");
        }
        if (policy.protectedPaths().demand() == Demand.REQUIRED) {
            unsupported.add("protected paths");
        }
        if (!broken && !unsupported.isEmpty()) {
            throw new UnsupportedPolicyException(name(), unsupported);
        }
        return new ReferenceExecutor();
    }
}
