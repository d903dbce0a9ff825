package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExecutorOptions;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.bwrap.BwrapPlan.Network;
import dev.paddock.executor.network.AllowedNetwork;
import dev.paddock.executor.network.InsideSockets;
import dev.paddock.executor.network.NetworkVariables;
import dev.paddock.executor.network.PublishedPorts;
import dev.paddock.executor.network.RefusedNames;
import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchThread;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.sandbox.backend.ConfinedHome;
import dev.paddock.executor.sandbox.backend.EnforcedLimits;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.SandboxSweep;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.local.SandboxOptions;
import dev.paddock.executor.sandbox.policy.HiddenPaths;
import dev.paddock.executor.sandbox.seccomp.FilterOption;
import dev.paddock.executor.sandbox.seccomp.SyscallFilter;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
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

/** Everything that an executor owns besides its commands. */
final class BwrapResources {
    private static final String CGROUPS = "/sys/fs/cgroup";

    private final SandboxPolicy policy;
    private final Network network;
    private final Bubblewrap programs;
    private final SystemView system;
    private final Supervisor supervisor;
    private final LaunchThread thread;
    private final PrivateState state;
    private final PrivateDirectories directories;
    private final Optional<NetworkNamespaceHolder> first;
    private final WorktreeGuard guard;
    private final Optional<AllowedNetwork> allowed;
    private final Optional<RefusedNames> refused;
    private final PublishedPorts published;
    private final EnforcedLimits limits;
    private final SandboxLauncher launcher;
    private final Set<Guarantee> guarantees;
    private final Map<String, String> environment;

    /**
     * Creates the resources.
     *
     * @param program bubblewrap; empty to find it
     * @param writableRoot whether commands can change the system's files, each in its own layer
     * @param observed the observers of the commands' connections
     * @param parts collects the parts to close
     * @throws IOException if the executor's own directories cannot be created
     */
    BwrapResources(
            SandboxOptions options,
            Optional<Path> program,
            boolean writableRoot,
            ExecutorOptions observed,
            ExecutorParts parts)
            throws IOException {
        Path worktree = ExecutorParts.worktree(options.policy());
        String commandPath = options.policy().worktree().commandPath();
        policy = options.policy().toBuilder()
                .worktree(new PathMapping(worktree, commandPath))
                .build();
        network = policy.network() instanceof NetworkPolicy.Open ? Network.HOST : Network.JOINED;
        programs = programs(program);
        system = SystemView.ofThisMachine().withLayer(writableRoot);
        if (writableRoot) {
            programs.requireLayers();
        }
        ControlGroups groups = ControlGroups.detect();
        LimitPlan.Mechanisms mechanisms = mechanisms(groups);
        BwrapPolicyCheck.of(policy, system, mechanisms)
                .apartFrom(PrivateState.root(), options.quarantine())
                .require();
        environment = environment(policy);
        SandboxSweep.start(BwrapProvider.NAME, groups);
        supervisor = parts.keep(Supervisor.create(BwrapProvider.NAME, /* keepsLeftovers */ false));
        if (!supervisor.isNative()) {
            throw new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.noNativeLaunch(Posix.obstacle()));
        }
        thread = parts.keep(LaunchThread.lasting("paddock-" + BwrapProvider.NAME + "-launch"));
        state = parts.keep(PrivateState.create(BwrapProvider.NAME));
        ExecutorParts.Begun<WorktreeGuard> opened = parts.guard(worktree, options, state.directory());
        allowed = policy.network() instanceof NetworkPolicy.Allow rules
                ? Optional.of(parts.keep(new AllowedNetwork(rules)))
                : Optional.empty();
        refused = RefusedNames.of(policy.network(), observed);
        directories = PrivateDirectories.create(
                state, policy.network(), /* hasNameServer */ allowed.isPresent() || refused.isPresent());
        directories.link(policy);
        published = parts.keep(new PublishedPorts());
        limits = parts.keep(
                EnforcedLimits.create(BwrapProvider.NAME, LimitPlan.of(policy.limits(), mechanisms), groups));
        launcher = new SandboxLauncher(
                programs,
                supervisor,
                thread,
                filter(network, policy),
                limits.cgroupProcs(SandboxLauncher.mostCgroupProcs()));
        guarantees = guarantees(mechanisms);
        first = network == Network.JOINED ? Optional.of(startHolder()) : Optional.empty();
        guard = opened.await();
        compile(guard.plan()); // rejects an unsupported policy early
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

    private static LimitPlan.Mechanisms mechanisms(ControlGroups groups) throws IOException {
        boolean root = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
        return new LimitPlan.Mechanisms(groups.controllers(), !root);
    }

    /**
     * Returns the system-call filter. It allows unix sockets if the policy does and no socket of the host is reachable:
     * abstract sockets belong to a network namespace, the others to a path that the sandbox shows.
     */
    private static byte[] filter(Network network, SandboxPolicy policy) {
        Architecture architecture = Architecture.current()
                .orElseThrow(() -> new SandboxUnavailableException(
                        BwrapProvider.NAME, Diagnosis.noFilter(System.getProperty("os.arch", "unknown"))));
        Set<FilterOption> options = EnumSet.allOf(FilterOption.class);
        if (network == Network.HOST || !policy.unixSockets()) {
            options.remove(FilterOption.UNIX_SOCKETS);
        }
        return SyscallFilter.compile(architecture, options);
    }

    private Set<Guarantee> guarantees(LimitPlan.Mechanisms mechanisms) {
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
        kept.addAll(mechanisms.guarantees());
        if (network == Network.JOINED) {
            if (allowed.isEmpty()) {
                kept.add(Guarantee.NETWORK_OFF);
            }
            if (AllowedNetwork.obstacle().isEmpty()) {
                kept.add(Guarantee.NETWORK_ALLOWED_HOSTS);
            }
            kept.add(Guarantee.PRIVATE_LOOPBACK);
            if (AllowedNetwork.obstacle().isEmpty()) {
                kept.add(Guarantee.PUBLISHED_PORTS);
            }
        }
        if (isOurs("/tmp")) {
            kept.add(Guarantee.PRIVATE_TMP);
        }
        if (isOurs(BwrapPlan.HOME)) {
            kept.add(Guarantee.PRIVATE_HOME);
        }
        if (launcher.givesTerminals()) {
            kept.add(Guarantee.TERMINAL);
        }
        if (PidfdProcess.reportsExitStatus()) {
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
        protection.writable().forEach(path -> overlays.add(new Overlay(path, target(path), true)));
        protection.pinned().forEach(path -> overlays.add(new Overlay(path, target(path), true)));
        protection.readOnly().forEach(path -> overlays.add(new Overlay(protection.source(path), target(path), false)));
        limits.shown()
                .forEach((name, group) ->
                        overlays.add(new Overlay(group, name.isEmpty() ? CGROUPS : CGROUPS + "/" + name, false)));
        HiddenPaths hidden = HiddenPaths.find(policy, BwrapProvider.NAME);
        BwrapPlan plan = BwrapPlan.of(policy, system, directories, overlays, hidden, network, BwrapPlan.HostFiles.NOW);
        PrivateDirectories.require(plan.places());
        return plan;
    }

    /** Returns a path's mount point; outside the worktree, the path itself. */
    private String target(Path path) {
        return policy.worktree().toCommand(path).orElseGet(path::toString);
    }

    /** Returns the holder that was started with the executor, if commands have their own network. */
    Optional<NetworkNamespaceHolder> firstHolder() {
        return first;
    }

    /** Starts a holder, and serves its network namespace before a command can run in it. */
    NetworkNamespaceHolder startHolder() {
        NetworkNamespaceHolder holder = NetworkNamespaceHolder.start(programs, system, supervisor, thread);
        allowed.ifPresent(network -> serve(network, holder));
        refused.ifPresent(names -> holder.onEnd(names.serve(plan -> holder.sockets(programs, plan))));
        return holder;
    }

    private void serve(AllowedNetwork network, NetworkNamespaceHolder holder) {
        try {
            Runnable served = network.serve(plan -> holder.sockets(programs, plan));
            holder.onEnd(served);
        } catch (IOException fault) {
            holder.signal(Signal.KILL);
            throw new SandboxUnavailableException(BwrapProvider.NAME, Diagnosis.noAllowedNetwork(fault));
        } catch (ExecutorException fault) { // the program that opens the sockets may not start
            holder.signal(Signal.KILL);
            throw fault;
        }
    }

    Optional<AllowedNetwork> allowed() {
        return allowed;
    }

    PublishedPorts published() {
        return published;
    }

    InsideSockets inside(NetworkNamespaceHolder holder) {
        InsideSockets sockets = new InsideSockets(plan -> holder.sockets(programs, plan));
        holder.onEnd(sockets::close);
        return sockets;
    }

    private static Map<String, String> environment(SandboxPolicy policy) {
        Map<String, String> variables = new TreeMap<>();
        String user = System.getProperty("user.name", "").equals("root") ? "root" : "paddock";
        variables.put("PATH", HostEnvironment.SYSTEM_PATH);
        variables.put("HOME", BwrapPlan.HOME);
        variables.put("USER", user);
        variables.put("LOGNAME", user);
        variables.put("LANG", "C.UTF-8");
        variables.put("TERM", "dumb");
        variables.putAll(ConfinedHome.ofTools(BwrapPlan.HOME));
        variables.putAll(NetworkVariables.of(policy.network()));
        variables.putAll(ExecutorParts.variables(policy));
        return Map.copyOf(variables);
    }

    /** Applies the limits before the sandbox executes its command, so that they bind all its processes. */
    void limit(BwrapTree sandbox) throws IOException {
        if (!launcher.entersCgroup()) {
            limits.enter(sandbox.main().pid());
        }
        limits.limit(sandbox.main());
    }

    Map<String, String> environment() {
        return environment;
    }

    Path stateDirectory() {
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

    EnforcedLimits limits() {
        return limits;
    }

    SandboxLauncher launcher() {
        return launcher;
    }

    Set<Guarantee> guarantees() {
        return guarantees;
    }
}
