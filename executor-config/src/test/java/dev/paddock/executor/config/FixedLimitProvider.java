package dev.paddock.executor.config;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Has a place with a memory limit of its own, as a claimed pod, and refuses a lower one. */
public final class FixedLimitProvider implements ExecutorProvider {
    private static final long HAS = 256L << 20;

    @Override
    public String name() {
        return "fixed";
    }

    @Override
    public Availability probe() {
        return new Availability.Usable("1", Set.of());
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        if (policy.limits().memoryBytes().orElse(HAS) < HAS) {
            throw new UnsupportedPolicyException(
                    name(), List.of("cannot keep a memory limit lower than " + HAS + " bytes"));
        }
        return HostExecutor.create();
    }
}
