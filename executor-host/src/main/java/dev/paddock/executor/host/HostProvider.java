package dev.paddock.executor.host;

import dev.paddock.executor.Availability;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorProvider;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.Demand;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.HostEnvironment;
import dev.paddock.executor.process.HostSweep;
import dev.paddock.executor.process.posix.LibC;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The host as a backend: {@code "host"}. Never chosen unasked.
 *
 * <p>It enforces nothing, and so refuses every policy that asks for enforcement; what is asked for as far as the backend can
 * is passed over. Settings: {@code shell}, a program's name or absolute path.
 */
public final class HostProvider implements ExecutorProvider {
    static final String NAME = "host";
    private static final String SHELL = "shell";

    /** Makes the provider; called by the service loader. */
    public HostProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Availability probe() {
        if (HostEnvironment.findProgram(HostEnvironment.SHELL).isEmpty()) {
            return new Availability.Unusable(
                    "there is no " + HostEnvironment.SHELL,
                    "Use a POSIX system; on Windows, WSL or the docker backend.");
        }
        try (HostExecutor executor = HostExecutor.create()) {
            return new Availability.Usable(
                    System.getProperty("os.name") + " " + System.getProperty("os.version")
                            + gaps(LibC.isMac(), executor.guarantees().contains(Guarantee.EXACT_STATUS)),
                    executor.guarantees());
        } catch (RuntimeException fault) {
            return new Availability.Unusable(
                    "processes cannot be started: " + fault.getMessage(),
                    "Free processes, descriptors or memory.",
                    true);
        }
    }

    /** What commands may outlive here that they do not on Linux. */
    static String gaps(boolean isMac, boolean isNative) {
        if (!isNative) {
            return ", processes by the JDK's own means"
                    + (isMac
                            ? ": commands outlive a JVM that is killed, and what loses its parent outlives its command"
                            : "");
        }
        return isMac
                ? ", never run there by its makers; programs of Apple's that leave their session outlive their command"
                : "";
    }

    @Override
    public CommandExecutor create(SandboxPolicy policy, Map<String, String> settings) {
        settings.keySet().stream()
                .filter(name -> !name.equals(SHELL))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            "the host backend has no setting '" + name + "', only '" + SHELL + "'");
                });
        List<String> unsupported = unsupported(policy);
        if (!unsupported.isEmpty()) {
            throw new UnsupportedPolicyException(NAME, unsupported);
        }
        HostExecutor.Builder builder =
                HostExecutor.builder().env(policy.environment().resolve(HostEnvironment.all()));
        if (settings.containsKey(SHELL)) {
            builder.shell(settings.getOrDefault(SHELL, HostEnvironment.SHELL));
        }
        return builder.build();
    }

    private static List<String> unsupported(SandboxPolicy policy) {
        List<String> unsupported = new ArrayList<>();
        if (!policy.worktree().isSame()) {
            unsupported.add(
                    "the worktree at another path: '" + policy.worktree().commandPath() + "'");
        }
        for (Mount mount : policy.mounts()) {
            if (!mount.source().toString().equals(mount.target())) {
                unsupported.add("a mount at another path: '" + mount.target() + "'");
            } else if (mount.access() == Mount.Access.READ_ONLY) {
                unsupported.add("a read-only mount: '" + mount.target() + "'");
            }
        }
        switch (policy.network()) {
            case NetworkPolicy.Open open -> {}
            case NetworkPolicy.Off off -> unsupported.add("network off");
            case NetworkPolicy.Allow allow -> unsupported.add("network limited to " + allow.hosts());
        }
        if (policy.protectedPaths().demand() == Demand.REQUIRED) {
            unsupported.add("protected paths");
        }
        if (policy.limits().demand() == Demand.REQUIRED) {
            unsupported.addAll(limits(policy.limits()));
        }
        return unsupported;
    }

    private static List<String> limits(ResourceLimits limits) {
        List<String> set = new ArrayList<>();
        limits.memoryBytes().ifPresent(bytes -> set.add("a memory limit of " + bytes + " bytes"));
        limits.cpus().ifPresent(number -> set.add("a limit of " + number + " CPUs"));
        limits.processes().ifPresent(number -> set.add("a limit of " + number + " processes"));
        limits.fileSizeBytes().ifPresent(bytes -> set.add("a file size limit of " + bytes + " bytes"));
        return set;
    }

    @Override
    public List<String> sweep() {
        return HostSweep.run();
    }
}
