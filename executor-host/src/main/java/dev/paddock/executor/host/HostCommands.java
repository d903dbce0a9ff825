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
                    supervisor.isNative() ? Set.of(Guarantee.EXACT_STATUS) : Set.of(),
                    Optional.empty(),
                    Map::of,
                    new SandboxedSpawner<>(
                            HostProvider.NAME, plan.shell(), warmSlots, new HostCommands(supervisor, plan)),
                    parts);
        });
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
        return StartingSandbox.started(waiting(wanted, environment(wanted.env(), environment)));
    }

    /** Launches no stub: the command is launched directly when it is released. */
    @Override
    public StartingSandbox startCold(HostPlan wanted, Map<String, String> environment) {
        return StartingSandbox.started(new Direct(wanted, environment(wanted.env(), environment)));
    }

    private SupervisedSlot waiting(HostPlan wanted, Map<String, String> env) {
        LaunchSpec stub = launcher()
                .launch(HostEnvironment.SHELL, wanted.shell())
                .env(env)
                .build();
        return new SupervisedSlot(supervisor(), launcher(), supervisor().launch(stub), env);
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
            if (supervisor().isNative() && request.fitsArgument()) {
                return launch(request, options);
            }
            SupervisedSlot waiting = waiting(wanted, env);
            stub = Optional.of(waiting);
            return waiting.release(request, options);
        }

        private ProcessLike launch(CommandRequest request, SpawnOptions options) {
            ProcessTableMark before = supervisor().now();
            String marker = env.getOrDefault(CommandExecutor.MARKER, "");
            ChildProcess child = supervisor()
                    .launch(LaunchSpec.builder(request.shell(), "-c", "--", request.command())
                            .env(env)
                            .env("PWD", request.cwd())
                            .env(request.env())
                            .env(CommandExecutor.MARKER, marker)
                            .directory(request.cwd())
                            .stdin(request.stdin())
                            .stderr(request.stderr())
                            .build());
            return supervisor().supervise(child, options, supervisor().hostTree(child, marker, before));
        }

        @Override
        public void discard() {
            stub.ifPresent(SupervisedSlot::discard);
        }
    }
}
