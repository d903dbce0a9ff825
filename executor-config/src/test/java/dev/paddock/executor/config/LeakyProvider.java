package dev.paddock.executor.config;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.backend.SandboxProbe;
import java.util.Map;
import java.util.Set;

/** Accepts every policy, as a sandbox would, and confines nothing: its commands run on the host. */
public final class LeakyProvider implements ExecutorProvider {
    @Override
    public String name() {
        return "leaky";
    }

    @Override
    public Availability probe() {
        return new Availability.Usable("1", Set.of());
    }

    @Override
    public Availability probe(SandboxPolicy policy, Map<String, String> settings) {
        return SandboxProbe.run(this, "Use another backend.", () -> "leaky 1", policy, settings);
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        return HostExecutor.create();
    }
}
