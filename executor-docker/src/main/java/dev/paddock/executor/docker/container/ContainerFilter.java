package dev.paddock.executor.docker.container;

import dev.paddock.executor.Availability;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.remote.shell.ProcStatus;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallProfile;
import java.util.EnumSet;
import java.util.Optional;

/**
 * Defines the system-call filter of managed containers: it refuses what the kernel sandboxes refuse, plus what the
 * engines' default profiles refuse, since it replaces them. It allows unix sockets, as programs in containers expect:
 * inside there is no socket of the host, except granted ones, which a policy can refuse.
 */
public final class ContainerFilter {
    /** The filter as a container's security option. */
    public static final String OPTION = option(EnumSet.of(FilterOption.UNCOMMON_CALLS));

    /** The value of {@code Seccomp} in {@code /proc/self/status} for a process with a filter. */
    public static final String ON = ProcStatus.FILTERED;

    private ContainerFilter() {}

    private static String option(EnumSet<FilterOption> denied) {
        return "seccomp=" + SyscallProfile.json(EnumSet.complementOf(denied));
    }

    /** Returns the filter for a policy as a container's security option. */
    static String option(SandboxPolicy policy) {
        return policy.unixSockets()
                ? OPTION
                : option(EnumSet.of(FilterOption.UNCOMMON_CALLS, FilterOption.UNIX_SOCKETS));
    }

    /**
     * Returns whether containers of a runtime run under the filter. Other runtimes put their own kernel between the
     * command and the host's kernel, and ignore the profile.
     */
    public static boolean binds(Optional<String> runtime) {
        return runtime.isEmpty() || runtime.get().equals("runc");
    }

    /** Returns why an engine cannot apply the filter to a container; empty if it can. */
    public static Optional<Availability.Unusable> obstacle(EngineInfo engine) {
        if (engine.security().stream().noneMatch(option -> option.startsWith("name=seccomp"))) {
            return Optional.of(new Availability.Unusable(
                    "the engine filters no system calls: its kernel or its build lacks seccomp",
                    "Use an engine whose security options contain seccomp, as docker info and podman info list them."));
        }
        String architecture = engine.architecture();
        if (Architecture.of(architecture).isEmpty()) {
            return Optional.of(new Availability.Unusable(
                    "there is no system-call filter for the engine's architecture '" + architecture + "'",
                    "Use an engine on x86_64 or aarch64."));
        }
        return Optional.empty();
    }
}
