package dev.paddock.executor.config;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import java.util.Map;
import java.util.Set;

/** Accepts every limit and enforces none: its commands run on the host. */
public final class ClaimingProvider implements ExecutorProvider {
    @Override
    public String name() {
        return "claiming";
    }

    @Override
    public Availability probe() {
        return new Availability.Usable("1", Set.of());
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return HostExecutor.create();
    }
}
