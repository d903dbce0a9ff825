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
import java.util.HashMap;
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

    /** Launches a command that is known and fits into an argument directly, without a stub. */
    @Override
    public StartingSandbox prepare(HostPlan wanted, Map<String, String> environment, Optional<CommandRequest> request) {
        Map<String, String> env = environment(wanted.env(), environment);
        boolean atOnce = supervisor().isNative()
                && request.filter(CommandRequest::fitsArgument).isPresent();
        return StartingSandbox.started(atOnce ? new Direct(env) : waiting(wanted, env, request));
    }

    private SupervisedSlot waiting(HostPlan wanted, Map<String, String> env, Optional<CommandRequest> request) {
        LaunchSpec.Builder spec = launcher()
                .launch(HostEnvironment.SHELL, wanted.shell())
                .env(env)
                .stderr(request.map(CommandRequest::stderr).orElse(SpawnOptions.Stderr.SEPARATE));
        return new SupervisedSlot(supervisor(), launcher(), supervisor().launch(spec.build()), env);
    }

    @Override
    public boolean hasSandbox() {
        return false;
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SpawnException("the shell did not receive the command: " + fault.getMessage(), fault);
    }

    /** A command that is launched directly, without a stub. */
    private final class Direct implements WarmSlot {
        private final Map<String, String> env;

        Direct(Map<String, String> env) {
            this.env = env;
        }

        @Override
        public void enter(CommandRequest request) {}

        @Override
        public StatusMapper statusMapper() {
            return StatusMapper.IDENTITY;
        }

        @Override
        public ProcessLike release(CommandRequest request, SpawnOptions options) {
            ProcessTableMark before = supervisor().now();
            String marker = env.getOrDefault(CommandExecutor.MARKER, "");
            Map<String, String> all = new HashMap<>(env);
            all.put("PWD", request.cwd());
            all.putAll(request.env());
            all.put(CommandExecutor.MARKER, marker);
            ChildProcess child = supervisor()
                    .launch(LaunchSpec.builder(request.shell(), "-c", "--", request.command())
                            .env(all)
                            .directory(request.cwd())
                            .stdin(request.stdin())
                            .stderr(request.stderr())
                            .build());
            return supervisor().supervise(child, options, supervisor().hostTree(child, marker, before));
        }

        @Override
        public void discard() {}
    }
}
