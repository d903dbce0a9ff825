package dev.paddock.executor.docker.container;

import com.github.dockerjava.api.model.Info;
import dev.paddock.executor.Availability;
import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.remote.shell.ProcStatus;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallProfile;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The system-call filter of a container of ours: what the kernel sandboxes refuse, and what engines' own profiles refuse
 * besides, since it takes their place. Unix sockets are allowed, as everybody expects in a container: there is nothing of the
 * host's to connect to, but what is granted.
 */
public final class ContainerFilter {
    /** As the engine takes it among a container's security options. */
    public static final String OPTION =
            "seccomp=" + SyscallProfile.json(EnumSet.complementOf(EnumSet.of(FilterOption.UNCOMMON_CALLS)));

    /** What the kernel says in {@code /proc/self/status} of a process with a filter. */
    public static final String ON = ProcStatus.FILTERED;

    private ContainerFilter() {}

    /**
     * Whether containers of a runtime are under the filter. The others have a kernel of their own between the command and
     * the host's, and leave the profile out.
     */
    public static boolean binds(Optional<String> runtime) {
        return runtime.isEmpty() || runtime.get().equals("runc");
    }

    /** Why an engine can put no container under the filter; empty if it can. */
    public static Optional<Availability.Unusable> obstacle(Info engine) {
        List<String> security = Optional.ofNullable(engine.getSecurityOptions()).orElse(List.of());
        if (security.stream().noneMatch(option -> option.startsWith("name=seccomp"))) {
            return Optional.of(new Availability.Unusable(
                    "the engine filters no system calls: its kernel or its build lacks seccomp",
                    "Use an engine that lists seccomp under 'Security Options' in docker info."));
        }
        String architecture = String.valueOf(engine.getArchitecture());
        if (Architecture.of(architecture).isEmpty()) {
            return Optional.of(new Availability.Unusable(
                    "the system-call filter is not known to hold on the engine's architecture '" + architecture + "'",
                    "Use an engine on x86_64 or aarch64."));
        }
        return Optional.empty();
    }
}
