package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.bwrap.BwrapPlan.Rooms;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.posix.Architecture;
import dev.paddock.executor.process.posix.Posix;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.table.PidfdProcess;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallFilter;
import dev.paddock.executor.sandbox.spawn.SandboxSweep;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.Quarantine;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Creates together, and closes together, everything that an executor owns besides its commands. */
final class BwrapResources implements AutoCloseable {
    private final SandboxPolicy policy;
    private final Network network;
    private final Bubblewrap programs;
    private final SystemView system;
    private final List<AutoCloseable> owned = new ArrayList<>();
    private final Supervisor supervisor;
    private final LaunchThread thread;
    private final PrivateState state;
    private final Rooms rooms;
    private final WorktreeGuard guard;
    private final CommandLimits confinement;
    private final SandboxLauncher launcher;
    private final Set<Guarantee> guarantees;

    private BwrapResources(SandboxPolicy policy, Bubblewrap programs, Path quarantine) throws IOException {
        this.policy = policy;
        this.programs = programs;
        this.network = policy.network() instanceof NetworkPolicy.Open ? Network.HOST : Network.JOINED;
        this.system = SystemView.ofThisMachine();
        try {
            ControlGroups groups = ControlGroups.detect();
            LimitPlan.Means means = means(groups);
            BwrapPolicyCheck.of(policy, system, means)
                    .apartFrom(PrivateState.root(), quarantine)
                    .require();
            SandboxSweep.start(BwrapProvider.NAME, groups);
            LimitPlan limits = LimitPlan.of(policy.limits(), means);
            supervisor = own(Supervisor.create(BwrapProvider.NAME, false));
            if (!supervisor.isNative()) {
                throw new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.noNativeLaunch(Posix.obstacle()));
            }
            thread = own(LaunchThread.lasting("paddock-" + BwrapProvider.NAME + "-launch"));
            state = own(PrivateState.create(BwrapProvider.NAME));
            rooms = PrivateDirectories.make(state, network == Network.HOST);
            guard = own(WorktreeGuard.open(
                    policy.worktree().hostPath(), policy.protectedPaths(), state.directory(), quarantine));
            confinement = own(CommandLimits.create(limits, groups, ControlGroups.newName(BwrapProvider.NAME)));
            launcher = new SandboxLauncher(programs, supervisor, thread, filter(), confinement.entrances());
            guarantees = Set.copyOf(guarantees(means));
            compile(guard.plan()); // rejects a policy that cannot be compiled now
        } catch (IOException | RuntimeException fault) {
            close();
            throw fault;
        }
    }

    static BwrapResources create(SandboxPolicy policy, Optional<Path> program, Optional<Path> quarantine) {
        if (!System.getProperty("os.name", "").equals("Linux")) {
            throw new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.notLinux());
        }
        PathMapping real = new PathMapping(
                realDirectory(policy.worktree()), policy.worktree().commandPath());
        SandboxPolicy resolved = policy.toBuilder().worktree(real).build();
        try {
            return new BwrapResources(resolved, programs(program), quarantine.orElseGet(Quarantine::standard));
        } catch (IOException fault) {
            throw new ExecutorException("the executor could not be made: " + fault, fault);
        }
    }

    private static Path realDirectory(PathMapping worktree) {
        try {
            Path real = worktree.hostPath().toRealPath();
            if (Files.isDirectory(real)) {
                return real;
            }
            throw new IllegalArgumentException("the worktree is no directory: '" + worktree.hostPath() + "'");
        } catch (IOException fault) {
            throw new IllegalArgumentException("the worktree does not exist: '" + worktree.hostPath() + "'", fault);
        }
    }

    private static Bubblewrap programs(Optional<Path> program) {
        Path bwrap = program.filter(Files::isExecutable)
                .or(() -> program.isPresent() ? Optional.empty() : Bubblewrap.find("bwrap"))
                .orElseThrow(() -> missing(program.map(Path::toString).orElse("bwrap")));
        return new Bubblewrap(bwrap, Bubblewrap.find("nsenter").orElseThrow(() -> missing("nsenter")));
    }

    private static SandboxUnavailableException missing(String program) {
        return new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.missing(program));
    }

    private <T extends AutoCloseable> T own(T made) {
        owned.add(made);
        return made;
    }

    private LimitPlan.Means means(ControlGroups groups) throws IOException {
        boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        return new LimitPlan.Means(groups.controllers(), !root);
    }

    private static byte[] filter() {
        Architecture architecture = Architecture.current()
                .orElseThrow(() -> new SandboxUnavailableException(
                        BwrapProvider.NAME, Diagnosis.noFilter(System.getProperty("os.arch", "unknown"))));
        return SyscallFilter.compile(architecture, EnumSet.complementOf(EnumSet.of(FilterOption.UNIX_SOCKETS)));
    }

    private Set<Guarantee> guarantees(LimitPlan.Means means) {
        Set<Guarantee> kept = EnumSet.of(
                Guarantee.WRITE_CONFINED,
                Guarantee.READ_CONFINED,
                Guarantee.UNIX_SOCKETS_OFF,
                Guarantee.TREE_KILL,
                Guarantee.DIES_WITH_HOST,
                Guarantee.ENV_CONFINED,
                Guarantee.PROTECTED_PATHS,
                Guarantee.NO_NEW_PRIVILEGES,
                Guarantee.SYSCALL_FILTER);
        kept.addAll(means.guarantees());
        if (network == Network.JOINED) {
            kept.add(Guarantee.NETWORK_OFF);
            kept.add(Guarantee.PRIVATE_LOOPBACK);
        }
        if (isOurs("/tmp")) {
            kept.add(Guarantee.PRIVATE_TMP);
        }
        if (isOurs(BwrapPlan.HOME)) {
            kept.add(Guarantee.PRIVATE_HOME);
        }
        if (PidfdProcess.tellsExitStatus()) {
            kept.add(Guarantee.EXACT_STATUS);
        }
        return kept;
    }

    private boolean isOurs(String directory) {
        return Stream.concat(
                        Stream.of(policy.worktree().commandPath()),
                        policy.mounts().stream().map(Mount::target))
                .noneMatch(target -> (directory + "/").startsWith(target + "/"));
    }

    BwrapPlan compile(ProtectionPlan protection) {
        List<Overlay> overlays = new ArrayList<>();
        protection.writable().forEach(path -> overlays.add(overlay(path, true)));
        protection.pinned().forEach(path -> overlays.add(overlay(path, true)));
        protection.readOnly().forEach(path -> overlays.add(overlay(path, false)));
        BwrapPlan plan = BwrapPlan.of(policy, system, rooms, overlays, network, BwrapPlan.HostFiles.NOW);
        PrivateDirectories.require(plan.places());
        return plan;
    }

    /** Returns the mount of a path; outside the worktree it is mounted at its own path. */
    private Overlay overlay(Path path, boolean writable) {
        return new Overlay(path, policy.worktree().toCommand(path).orElseGet(path::toString), writable);
    }

    NetworkNamespaceHolder startHolder() {
        return NetworkNamespaceHolder.start(programs, system, supervisor, thread);
    }

    /** Returns the base environment of every command. */
    Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        String user = System.getProperty("user.name", "").equals("root") ? "root" : "paddock";
        variables.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        variables.put("HOME", BwrapPlan.HOME);
        variables.put("USER", user);
        variables.put("LOGNAME", user);
        variables.put("LANG", "C.UTF-8");
        variables.put("TERM", "dumb");
        variables.putAll(policy.environment().resolve(Bubblewrap.hostEnvironment()));
        return variables;
    }

    Path rooms() {
        return state.directory();
    }

    Network network() {
        return network;
    }

    Supervisor supervisor() {
        return supervisor;
    }

    WorktreeGuard guard() {
        return guard;
    }

    CommandLimits confinement() {
        return confinement;
    }

    SandboxLauncher launcher() {
        return launcher;
    }

    Set<Guarantee> guarantees() {
        return guarantees;
    }

    /**
     * Closes the supervisor first, since it ends the processes that use the other resources, then
     * the others, the last created first.
     */
    @Override
    public void close() {
        List<RuntimeException> faults = new ArrayList<>();
        List<AutoCloseable> order = new ArrayList<>(owned.reversed());
        if (!order.isEmpty()) {
            order.add(0, order.removeLast());
        }
        for (AutoCloseable resource : order) {
            try {
                resource.close();
            } catch (RuntimeException fault) {
                faults.add(fault);
            } catch (Exception fault) {
                faults.add(new ExecutorException("clean-up failed: " + fault.getMessage(), fault));
            }
        }
        if (!faults.isEmpty()) {
            throw faults.get(0);
        }
    }
}
