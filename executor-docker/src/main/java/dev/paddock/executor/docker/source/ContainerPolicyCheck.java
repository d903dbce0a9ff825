package dev.paddock.executor.docker.source;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.docker.container.ContainerFilter;
import dev.paddock.executor.docker.container.ContainerSpec;
import dev.paddock.executor.docker.container.EngineLimits;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.policy.Capabilities;
import dev.paddock.executor.sandbox.policy.Feature;
import dev.paddock.executor.sandbox.policy.PolicyCheck;
import dev.paddock.executor.sandbox.policy.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compares a policy with what a container, existing or not, can enforce. */
public final class ContainerPolicyCheck {
    private static final List<String> FILE_SYSTEMS = List.of("/", "/tmp", ContainerSpec.HOME, "/proc", "/sys", "/dev");

    private ContainerPolicyCheck() {}

    /**
     * Returns the check for a managed container, without querying the engine.
     *
     * @param obstacle why a network of allowed hosts cannot be served
     * @param runtime the named runtime, if any
     */
    public static PolicyCheck managed(SandboxPolicy policy, Optional<String> obstacle, Optional<String> runtime) {
        return managed(policy, capabilities(obstacle, runtime));
    }

    private static Capabilities capabilities(Optional<String> obstacle, Optional<String> runtime) {
        Capabilities all = Capabilities.of(Engine.BACKEND);
        if (!ContainerFilter.binds(runtime)) {
            all = all.without(
                    Feature.UNIX_SOCKETS_OFF,
                    "the runtime " + runtime.orElse("") + " applies no system-call filter",
                    "use runc, or allow unix sockets");
        }
        Capabilities filtered = all;
        return obstacle.map(
                        why -> filtered.without(Feature.NETWORK_ALLOW, why, "set it to 'off' or 'open', or use bwrap"))
                .orElse(filtered);
    }

    /**
     * Returns the check for a managed container.
     *
     * @param obstacle why a network of allowed hosts cannot be served
     * @param runtime the named runtime, if any
     * @param limits the limits that the engine can enforce
     */
    public static PolicyCheck managed(
            SandboxPolicy policy, Optional<String> obstacle, Optional<String> runtime, EngineLimits limits) {
        Capabilities left = capabilities(obstacle, runtime);
        if (!limits.memory() || !limits.swap()) {
            left = without(left, Feature.MEMORY_LIMIT, "limit for " + (limits.memory() ? "swap" : "memory"));
        }
        if (!limits.cpus()) {
            left = without(left, Feature.CPU_LIMIT, "CPU quota");
        }
        if (!limits.processes()) {
            left = without(left, Feature.PROCESS_LIMIT, "limit for processes");
        }
        return managed(policy, left);
    }

    private static Capabilities without(Capabilities capabilities, Feature feature, String missing) {
        return capabilities.without(
                feature, "the engine's kernel has no " + missing, "enable it in that kernel, or omit the limit");
    }

    private static PolicyCheck managed(SandboxPolicy policy, Capabilities capabilities) {
        List<Violation> covered = new ArrayList<>();
        requireFree(
                covered,
                "show the worktree '" + policy.worktree().hostPath() + "'",
                policy.worktree().commandPath());
        for (Mount mount : policy.mounts()) {
            requireFree(covered, "mount '" + mount.source() + "'", mount.target());
        }
        return PolicyCheck.of(policy, capabilities).and(covered);
    }

    private static void requireFree(List<Violation> covered, String what, String target) {
        if (FILE_SYSTEMS.contains(target)) {
            covered.add(new Violation(
                    what + " at '" + target + "'",
                    "the container has a file system of its own there",
                    "choose a target below or beside it"));
        }
    }

    /**
     * Returns the check for a container that the executor did not create.
     *
     * @param kept what the container's configuration enforces
     */
    public static PolicyCheck attached(SandboxPolicy policy, Set<Guarantee> kept) {
        String configured = "the container is already running, as its creator configured it";
        String remedy = "configure it when the container is created, or name an image";
        Capabilities left = Capabilities.of(Engine.BACKEND).withoutChosenHosts();
        for (Feature feature : List.of(
                Feature.MOUNTS,
                Feature.PROTECTED_PATHS,
                Feature.HIDDEN_PATHS,
                Feature.UNIX_SOCKETS_OFF,
                Feature.MEMORY_LIMIT,
                Feature.CPU_LIMIT,
                Feature.PROCESS_LIMIT,
                Feature.FILE_SIZE_LIMIT)) {
            left = left.without(feature, configured, remedy);
        }
        return PolicyCheck.of(
                policy,
                kept.contains(Guarantee.NETWORK_OFF)
                        ? left
                        : left.without(Feature.NETWORK_OFF, "the container has a network", remedy));
    }
}
