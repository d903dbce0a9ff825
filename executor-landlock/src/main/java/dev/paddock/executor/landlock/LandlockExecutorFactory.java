package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.landlock.kernel.Rights;
import dev.paddock.executor.landlock.kernel.Ruleset;
import dev.paddock.executor.landlock.kernel.SystemPaths;
import dev.paddock.executor.network.NetworkVariables;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.backend.ConfinedHome;
import dev.paddock.executor.sandbox.backend.EnforcedLimits;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.LocalCommands;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallFilter;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Creates an executor, if this machine can confine commands and Landlock can enforce the policy.
 */
final class LandlockExecutorFactory {
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;

    private static boolean preloaded;

    private final SandboxOptions options;
    private final SandboxPolicy policy;
    private final OptionalInt assumedVersion;

    /**
     * Creates a factory.
     *
     * @param assumedVersion the version of Landlock, or a negative error number, instead of the kernel's
     */
    LandlockExecutorFactory(SandboxOptions options, OptionalInt assumedVersion) {
        this.options = options;
        this.policy = options.policy();
        this.assumedVersion = assumedVersion;
    }

    LandlockExecutor create() {
        LandlockKernel kernel = kernel();
        int version = requireVersion(assumedVersion.orElseGet(kernel::version));
        return ExecutorParts.assemble(parts -> new LandlockExecutor(assemble(parts, kernel, version)));
    }

    private LocalCommands assemble(ExecutorParts parts, LandlockKernel kernel, int version) throws IOException {
        Path worktree = ExecutorParts.worktree(policy);
        ControlGroups groups = ControlGroups.detect();
        LimitPlan.Mechanisms mechanisms = new LimitPlan.Mechanisms(groups.controllers(), /* countsProcesses */ false);
        LandlockPolicyCheck.check(policy, mechanisms)
                .apartFrom(PrivateState.root(), options.quarantine())
                .require();
        Supervisor supervisor = parts.keep(Supervisor.create(LandlockExecutor.NAME, /* keepsLeftovers */ false));
        ConfinedHome home = parts.keep(ConfinedHome.create(LandlockExecutor.NAME));
        ExecutorParts.Begun<WorktreeGuard> guard = home.guard(worktree, options, parts);
        requireNative(kernel, supervisor);
        LandlockSandbox sandbox = new LandlockSandbox(new LandlockSandbox.Parts(
                policy,
                options.shell(),
                environment(home),
                kernel,
                version,
                SystemPaths.ofThisMachine(),
                filter(version),
                home.home(),
                parts.keep(EnforcedLimits.create(
                        LandlockExecutor.NAME, LimitPlan.of(policy.limits(), mechanisms), groups)),
                parts.keep(new Ruleset(kernel)),
                parts.keep(new LaunchThreads(kernel)),
                supervisor,
                guard.await()));
        return new LocalCommands(
                LandlockExecutor.NAME,
                LandlockPolicyCheck.guarantees(policy, guaranteesHere(mechanisms, supervisor)),
                Optional.of(policy.worktree()),
                Map::of,
                new SandboxedSpawner<>(LandlockExecutor.NAME, options.shell(), options.warmSlots(), sandbox),
                parts);
    }

    private static Set<Guarantee> guaranteesHere(LimitPlan.Mechanisms limits, Supervisor supervisor) {
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        kept.addAll(limits.guarantees());
        if (supervisor.terminals().isPresent()) {
            kept.add(Guarantee.TERMINAL);
        }
        return kept;
    }

    private Program filter(int version) {
        return Program.of(SyscallFilter.compile(Architecture.current().orElseThrow(), filterOptions(policy, version)));
    }

    private static LandlockKernel kernel() {
        return LandlockKernel.find().orElseThrow(LandlockExecutorFactory::noKernel);
    }

    private static SandboxUnavailableException noKernel() {
        if (!LibC.isLinux()) {
            return unavailable(
                    "Landlock needs Linux, and this system is " + System.getProperty("os.name"),
                    "Use the docker backend, or seatbelt on macOS.");
        }
        return LibC.obstacle()
                .map(obstacle -> unavailable(obstacle.reason(), obstacle.remedy()))
                .orElseGet(() -> unavailable(
                        "there is no system-call filter for the processor architecture "
                                + System.getProperty("os.arch"),
                        "Use x86-64 or AArch64, or the docker backend."));
    }

    private static int requireVersion(int version) {
        if (version > 0) {
            return version;
        }
        throw switch (-version) {
            case ENOSYS ->
                unavailable(
                        "this kernel has no Landlock (Linux " + System.getProperty("os.version") + ")",
                        "Use Linux 5.13 or later, built with CONFIG_SECURITY_LANDLOCK, or another backend.");
            case EOPNOTSUPP ->
                unavailable(
                        "Landlock is switched off in this kernel",
                        "Add 'landlock' to the kernel's lsm= parameter at boot, or use another backend.");
            default -> unavailable("Landlock does not answer: error " + -version, "Use another backend.");
        };
    }

    private static void requireNative(LandlockKernel kernel, Supervisor supervisor) {
        if (!supervisor.isNative()) {
            throw Posix.obstacle()
                    .map(obstacle -> unavailable(obstacle.reason(), obstacle.remedy()))
                    .orElseGet(() ->
                            unavailable("processes cannot be started through the C library", "Use another backend."));
        }
        preloadClasses(kernel, supervisor);
    }

    /**
     * Runs one launch that succeeds and one that fails: both code paths later run on a confined thread, where the JVM
     * can load no class.
     */
    private static synchronized void preloadClasses(LandlockKernel kernel, Supervisor supervisor) {
        if (preloaded) {
            return;
        }
        supervisor.discard(
                supervisor.launch(LaunchSpec.builder("/bin/sh", "-c", ":").build(), ConfinedLaunch.preloading(kernel)));
        try {
            supervisor.discard(supervisor.launch(
                    LaunchSpec.builder("/nonexistent/program").build(), ConfinedLaunch.preloading(kernel)));
        } catch (SpawnException expected) {
            preloaded = true;
        }
    }

    private Map<String, String> environment(ConfinedHome home) {
        Map<String, String> env = home.environment(HostEnvironment.SYSTEM_PATH);
        env.putAll(NetworkVariables.of(policy.network()));
        env.putAll(ExecutorParts.variables(policy));
        return env;
    }

    static Set<FilterOption> filterOptions(SandboxPolicy policy, int version) {
        Set<FilterOption> options = EnumSet.of(FilterOption.UNCOMMON_CALLS);
        if (policy.network() instanceof NetworkPolicy.Open) {
            options.add(FilterOption.IP_SOCKETS);
        }
        if (version >= Rights.TRUNCATE_VERSION) {
            options.add(FilterOption.TRUNCATION_BY_PATH);
        }
        return options;
    }

    static SandboxUnavailableException unavailable(String reason, String remedy) {
        return new SandboxUnavailableException(LandlockExecutor.NAME, new Availability.Unusable(reason, remedy));
    }
}
