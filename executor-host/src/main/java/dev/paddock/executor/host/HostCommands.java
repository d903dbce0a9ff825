package dev.paddock.executor.host;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.ProcessTableMark;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.spawn.SandboxBackend;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Starts the host's commands for the spawner, without a sandbox around them. */
final class HostCommands implements SandboxBackend<HostPlan> {
    private final Supervisor supervisor;
    private final HostPlan plan;
    private final CommandLauncher starter;
    private final SandboxedSpawner<HostPlan> spawner;

    private HostCommands(Supervisor supervisor, HostPlan plan, int warmSlots) {
        this.supervisor = supervisor;
        this.plan = plan;
        starter = CommandLauncher.of(supervisor);
        spawner = new SandboxedSpawner<>(HostProvider.NAME, plan.shell(), warmSlots, this);
    }

    static HostCommands create(HostPlan plan, boolean keepLeftovers, int warmSlots, Means means) {
        Supervisor supervisor = switch (means) {
            case BEST -> Supervisor.create(HostProvider.NAME, keepLeftovers);
            case PORTABLE -> Supervisor.ofPortableProcesses(HostProvider.NAME, keepLeftovers);
            case JDK -> Supervisor.ofJdkProcesses(HostProvider.NAME, keepLeftovers);
        };
        return new HostCommands(supervisor, plan, warmSlots);
    }

    /** The mechanism that starts processes. */
    enum Means {
        /** The best mechanism that this machine supports. */
        BEST,
        /** The C library's spawn, without the mechanisms that only Linux has. */
        PORTABLE,
        /** The JDK's {@link ProcessBuilder}. */
        JDK
    }

    boolean isExact() {
        return supervisor.isNative();
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        return spawner.spawn(command, options, Map.of());
    }

    void dispose() {
        spawner.close();
    }

    @Override
    public HostPlan plan() {
        return plan;
    }

    @Override
    public Optional<WorktreeGuard.Command> announce(HostPlan wanted) {
        return Optional.empty();
    }

    @Override
    public boolean passesExactly(String name) {
        return starter.passesExactly(name);
    }

    /** Launches a command that is known and fits into an argument directly, without a stub. */
    @Override
    public StartingSandbox prepare(HostPlan wanted, Map<String, String> environment) {
        return StartingSandbox.started(waiting(wanted, environment(wanted, environment)));
    }

    /** Launches no stub: the command is launched directly when it is released. */
    @Override
    public StartingSandbox startCold(HostPlan wanted, Map<String, String> environment) {
        return StartingSandbox.started(new Direct(wanted, environment(wanted, environment)));
    }

    private Map<String, String> environment(HostPlan wanted, Map<String, String> more) {
        Map<String, String> env = new HashMap<>(wanted.env());
        env.putAll(more);
        env.put(CommandExecutor.MARKER, supervisor.newMarker());
        return env;
    }

    private SupervisedSlot waiting(HostPlan wanted, Map<String, String> env) {
        LaunchSpec stub =
                starter.launch(HostEnvironment.SHELL, wanted.shell()).env(env).build();
        return new SupervisedSlot(supervisor, starter, supervisor.launch(stub), env);
    }

    @Override
    public boolean hasSandbox() {
        return false;
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SpawnException("the shell did not take the command: " + fault.getMessage(), fault);
    }

    /** Ends the commands. The spawner calls it. */
    @Override
    public void close() {
        supervisor.close();
    }

    /**
     * A command that is launched directly, if it can be an argument and the launcher passes it
     * exactly; otherwise by a stub.
     */
    private final class Direct implements WarmSlot {
        private final HostPlan wanted;
        private final Map<String, String> env;
        private Optional<SupervisedSlot> stub = Optional.empty();

        Direct(HostPlan wanted, Map<String, String> env) {
            this.wanted = wanted;
            this.env = env;
        }

        @Override
        public StatusMapper statusMapper() {
            return StatusMapper.IDENTITY;
        }

        @Override
        public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
            if (supervisor.isNative() && request.fitsArgument()) {
                return launch(request, options);
            }
            SupervisedSlot waiting = waiting(wanted, env);
            stub = Optional.of(waiting);
            return waiting.release(request, options);
        }

        private ProcessLike launch(CommandRequest request, SpawnOptions options) {
            ProcessTableMark before = supervisor.now();
            String marker = env.getOrDefault(CommandExecutor.MARKER, "");
            ChildProcess child = supervisor.launch(LaunchSpec.builder(request.shell(), "-c", "--", request.command())
                    .env(env)
                    .env("PWD", request.cwd())
                    .env(request.env())
                    .env(CommandExecutor.MARKER, marker)
                    .directory(request.cwd())
                    .stdin(request.stdin())
                    .stderr(request.stderr())
                    .build());
            return supervisor.supervise(child, options, supervisor.hostTree(child, marker, before));
        }

        @Override
        public void discard() {
            stub.ifPresent(SupervisedSlot::discard);
        }
    }
}
