package dev.paddock.executor.host;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.launch.Terminal;
import dev.paddock.executor.process.supervise.ProcessTableMark;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.backend.ExecutorParts;
import dev.paddock.executor.sandbox.backend.LocalCommands;
import dev.paddock.executor.sandbox.spawn.SandboxedSpawner;
import dev.paddock.executor.sandbox.spawn.StartingSandbox;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import dev.paddock.executor.sandbox.spawn.SupervisedBackend;
import dev.paddock.executor.sandbox.spawn.SupervisedSlot;
import dev.paddock.executor.sandbox.spawn.WarmSlot;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Starts the host's commands for the spawner, without a sandbox around them. */
final class HostCommands extends SupervisedBackend<HostPlan> {
    private final HostPlan plan;

    private HostCommands(Supervisor supervisor, HostPlan plan) {
        super(supervisor, CommandLauncher.of(supervisor), Optional.empty());
        this.plan = plan;
    }

    static CommandExecutor create(HostPlan plan, boolean keepLeftovers, int warmSlots, Means means) {
        return ExecutorParts.assemble(parts -> {
            Supervisor supervisor = parts.keep(
                    switch (means) {
                        case BEST -> Supervisor.create(HostProvider.NAME, keepLeftovers);
                        case PORTABLE -> Supervisor.ofPortableProcesses(HostProvider.NAME, keepLeftovers);
                        case JDK -> Supervisor.ofJdkProcesses(HostProvider.NAME, keepLeftovers);
                    });
            return new LocalCommands(
                    HostProvider.NAME,
                    guarantees(supervisor),
                    Optional.empty(),
                    Map::of,
                    new SandboxedSpawner<>(
                            HostProvider.NAME, plan.shell(), warmSlots, new HostCommands(supervisor, plan)),
                    parts);
        });
    }

    private static Set<Guarantee> guarantees(Supervisor supervisor) {
        Set<Guarantee> kept = EnumSet.noneOf(Guarantee.class);
        if (supervisor.isNative()) {
            kept.add(Guarantee.EXACT_STATUS);
        }
        if (supervisor.terminals().isPresent()) {
            kept.add(Guarantee.TERMINAL);
        }
        return kept;
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

    @Override
    public HostPlan plan() {
        return plan;
    }

    @Override
    public StartingSandbox prepare(HostPlan wanted, Map<String, String> environment) {
        return StartingSandbox.started(waiting(wanted, environment(wanted.env(), environment), Optional.empty()));
    }

    /** Launches no stub: the command is launched directly when it is released. */
    @Override
    public StartingSandbox startCold(HostPlan wanted, Map<String, String> environment) {
        return StartingSandbox.started(new Direct(wanted, environment(wanted.env(), environment)));
    }

    private SupervisedSlot waiting(HostPlan wanted, Map<String, String> env, Optional<Terminal> terminal) {
        LaunchSpec.Builder stub =
                launcher().launch(HostEnvironment.SHELL, wanted.shell()).env(env);
        terminal.ifPresent(stub::terminal);
        return new SupervisedSlot(supervisor(), launcher(), supervisor().launch(stub.build()), env);
    }

    @Override
    public boolean hasTerminal() {
        return supervisor().terminals().isPresent();
    }

    @Override
    public boolean hasSandbox() {
        return false;
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SpawnException("the shell did not receive the command: " + fault.getMessage(), fault);
    }

    /**
     * Launches a command directly if it can be an argument and the launcher passes it
     * exactly; otherwise through a stub.
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
            Optional<Terminal> terminal =
                    options.terminal().flatMap(size -> supervisor().terminals().map(source -> source.open(size)));
            boolean launched = false;
            try {
                ProcessLike process = start(request, options, terminal);
                launched = true;
                return process;
            } finally {
                if (!launched) {
                    terminal.ifPresent(Terminal::close);
                }
            }
        }

        private ProcessLike start(CommandRequest request, SpawnOptions options, Optional<Terminal> terminal)
                throws IOException {
            if (supervisor().isNative() && request.fitsArgument()) {
                return launch(request, options, terminal);
            }
            SupervisedSlot waiting = waiting(wanted, env, terminal);
            stub = Optional.of(waiting);
            return waiting.release(request, options);
        }

        private ProcessLike launch(CommandRequest request, SpawnOptions options, Optional<Terminal> terminal) {
            ProcessTableMark before = supervisor().now();
            String marker = env.getOrDefault(CommandExecutor.MARKER, "");
            LaunchSpec.Builder spec = LaunchSpec.builder(request.shell(), "-c", "--", request.command())
                    .env(env)
                    .env("PWD", request.cwd())
                    .env(request.env())
                    .env(CommandExecutor.MARKER, marker)
                    .directory(request.cwd())
                    .stdin(request.stdin())
                    .stderr(request.stderr());
            terminal.ifPresent(spec::terminal);
            ChildProcess child = supervisor().launch(spec.build());
            return supervisor().supervise(child, options, supervisor().hostTree(child, marker, before));
        }

        @Override
        public void discard() {
            stub.ifPresent(SupervisedSlot::discard);
        }
    }
}
