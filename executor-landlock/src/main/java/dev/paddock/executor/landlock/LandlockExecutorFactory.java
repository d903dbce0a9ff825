package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.landlock.kernel.Rights;
import dev.paddock.executor.landlock.kernel.SystemPaths;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.process.posix.LibC;
import dev.paddock.executor.process.posix.Posix;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallFilter;
import dev.paddock.executor.sandbox.spawn.ConfinedHome;
import dev.paddock.executor.sandbox.spawn.ExecutorParts;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Creates an executor, if this machine can confine commands and Landlock can enforce the policy.
 */
final class LandlockExecutorFactory {
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;

    private static boolean rehearsed;

    private final SandboxPolicy policy;
    private final Path quarantine;
    private final String shell;
    private final OptionalInt assumedVersion;

    /**
     * Creates a factory.
     *
     * @param assumedVersion the version of Landlock, or a negative error number, instead of the
     *     kernel's answer
     */
    LandlockExecutorFactory(SandboxPolicy policy, Path quarantine, String shell, OptionalInt assumedVersion) {
        this.policy = policy;
        this.quarantine = quarantine;
        this.shell = shell;
        this.assumedVersion = assumedVersion;
    }

    LandlockExecutor make(int warmSlots) {
        LandlockKernel kernel = kernel();
        int version = requireVersion(assumedVersion.orElseGet(kernel::version));
        return ExecutorParts.assemble(parts -> assemble(parts, kernel, version, warmSlots));
    }

    private LandlockExecutor assemble(ExecutorParts made, LandlockKernel kernel, int version, int warmSlots)
            throws IOException {
        Path worktree = ExecutorParts.worktree(policy);
        ControlGroups groups = ControlGroups.detect();
        LimitPlan.Means means = new LimitPlan.Means(groups.controllers(), /* countsProcesses */ false);
        LandlockPolicyCheck.check(policy, means)
                .apartFrom(PrivateState.root(), quarantine)
                .require();
        LimitPlan limits = LimitPlan.of(policy.limits(), means);
        Supervisor supervisor = made.keep(Supervisor.create(LandlockExecutor.NAME, /* keepsLeftovers */ false));
        requireNative(kernel, supervisor);
        ConfinedHome home = made.keep(ConfinedHome.create(LandlockExecutor.NAME));
        WorktreeGuard guard =
                made.keep(WorktreeGuard.open(worktree, policy.protectedPaths(), home.guard(), quarantine));
        LandlockSandbox.Parts parts = new LandlockSandbox.Parts(
                policy,
                shell,
                environment(home),
                kernel,
                version,
                SystemPaths.ofThisMachine(),
                filter(version),
                home,
                guard,
                made.keep(CommandLimits.create(limits, groups)),
                supervisor);
        return new LandlockExecutor(
                new LandlockSandbox(parts, warmSlots), LandlockPolicyCheck.guarantees(policy, means.guarantees()));
    }

    private Program filter(int version) {
        return Program.of(SyscallFilter.compile(Architecture.current().orElseThrow(), allowances(policy, version)));
    }

    private static LandlockKernel kernel() {
        return LandlockKernel.find().orElseThrow(LandlockExecutorFactory::noKernel);
    }

    private static SandboxUnavailableException noKernel() {
        if (!LibC.isLinux()) {
            return unavailable(
                    "Landlock is Linux's, and this is " + System.getProperty("os.name"),
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
                            unavailable("processes are not started through the C library", "Use another backend."));
        }
        rehearse(kernel, supervisor);
    }

    /**
     * Runs a launch that succeeds and one that fails: later both code paths run on a confined
     * thread, where no class can be loaded.
     */
    private static synchronized void rehearse(LandlockKernel kernel, Supervisor supervisor) {
        if (rehearsed) {
            return;
        }
        supervisor.discard(
                supervisor.launch(LaunchSpec.builder("/bin/sh", "-c", ":").build(), ConfinedLaunch.rehearsal(kernel)));
        try {
            supervisor.discard(supervisor.launch(
                    LaunchSpec.builder("/nonexistent/program").build(), ConfinedLaunch.rehearsal(kernel)));
        } catch (SpawnException expected) {
            rehearsed = true;
        }
    }

    private Map<String, String> environment(ConfinedHome home) {
        Map<String, String> env = home.environment(HostEnvironment.SYSTEM_PATH);
        env.putAll(ExecutorParts.variables(policy));
        return env;
    }

    static Set<FilterOption> allowances(SandboxPolicy policy, int version) {
        Set<FilterOption> allowances = EnumSet.of(FilterOption.UNCOMMON_CALLS);
        if (policy.network() instanceof NetworkPolicy.Open) {
            allowances.add(FilterOption.IP_SOCKETS);
        }
        if (version >= Rights.TRUNCATE_VERSION) {
            allowances.add(FilterOption.TRUNCATION_BY_PATH);
        }
        return allowances;
    }

    static SandboxUnavailableException unavailable(String reason, String remedy) {
        return new SandboxUnavailableException(LandlockExecutor.NAME, new Availability.Unusable(reason, remedy));
    }
}
