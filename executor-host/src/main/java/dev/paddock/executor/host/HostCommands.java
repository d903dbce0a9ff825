package dev.paddock.executor.host;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.launch.LaunchSpec;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.process.warm.PreparedCommand;
import dev.paddock.executor.process.warm.WarmPool;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The host's ways to start a command: by what waits for one, afresh, or afresh by an order. */
final class HostCommands implements AutoCloseable {
    private final Supervisor supervisor;
    private final HostPlan plan;
    private final CommandLauncher starter;
    private final WarmPool<HostPlan, Slot> pool;

    /** What waits, and the environment that it was started with. */
    private record Slot(ChildProcess child, Map<String, String> env) {
        String marker() {
            return env.getOrDefault(CommandExecutor.MARKER, "");
        }
    }

    private HostCommands(Supervisor supervisor, HostPlan plan, int warmSlots) {
        this.supervisor = supervisor;
        this.plan = plan;
        starter = CommandLauncher.of(supervisor);
        pool = new WarmPool<>(
                new WarmPool.Settings("paddock-host", warmSlots),
                wanted -> prepare(wanted, SpawnOptions.Stderr.SEPARATE),
                slot -> supervisor.discard(slot.child()));
    }

    static HostCommands create(HostPlan plan, boolean keepLeftovers, int warmSlots, Means means) {
        Supervisor supervisor = switch (means) {
            case BEST -> Supervisor.create(HostProvider.NAME, keepLeftovers);
            case PORTABLE -> Supervisor.ofPortableProcesses(HostProvider.NAME, keepLeftovers);
            case JDK -> Supervisor.ofJdkProcesses(HostProvider.NAME, keepLeftovers);
        };
        return new HostCommands(supervisor, plan, warmSlots);
    }

    /** How processes are started. */
    enum Means {
        /** As well as this machine can. */
        BEST,
        /** Through the C library, without what only Linux has. */
        PORTABLE,
        /** By the JDK's own means. */
        JDK
    }

    boolean isExact() {
        return supervisor.isNative();
    }

    ProcessLike spawn(String command, SpawnOptions options) {
        if (supervisor.isDisposed()) {
            throw new ExecutorDisposedException(HostProvider.NAME);
        }
        options.signal().throwIfAborted();
        CommandRequest order = new CommandRequest(plan.shell(), command, options.cwd(), options.env(), options.stdin(), options.stderr());
        boolean exact = starter.passesExactly(options.env().keySet());
        Optional<Slot> warm = exact ? pool.poll(plan) : Optional.empty();
        ProcessLike process =
                warm.flatMap(slot -> onWaiting(slot, order, options)).orElseGet(() -> cold(order, options));
        if (exact) {
            pool.refill(plan);
        }
        return process;
    }

    private ProcessLike cold(CommandRequest order, SpawnOptions options) {
        return supervisor.isNative() && order.fitsArgument() ? afresh(order, options) : byOrder(order, options);
    }

    private Optional<ProcessLike> onWaiting(Slot slot, CommandRequest order, SpawnOptions options) {
        try {
            return Optional.of(handOver(slot, order, options));
        } catch (IOException fault) {
            pool.failed(fault);
            return Optional.empty();
        }
    }

    private ProcessLike byOrder(CommandRequest order, SpawnOptions options) {
        Slot slot = prepare(plan, options.stderr());
        try {
            return handOver(slot, order, options);
        } catch (IOException fault) {
            throw new SpawnException("the shell did not take the command: " + fault.getMessage(), fault);
        }
    }

    private ProcessLike handOver(Slot slot, CommandRequest order, SpawnOptions options) throws IOException {
        boolean ready = false;
        try {
            PreparedCommand handover = starter.enter(slot.child(), slot.env(), order);
            Supervisor.Moment before = supervisor.now();
            handover.become().requireReady(order);
            ready = true;
            if (options.stdin() == SpawnOptions.Stdin.EMPTY) {
                slot.child().stdin().close();
            }
            return supervise(slot.child(), slot.marker(), options, before);
        } finally {
            if (!ready) {
                supervisor.discard(slot.child());
            }
        }
    }

    private ProcessLike supervise(ChildProcess child, String marker, SpawnOptions options, Supervisor.Moment before) {
        return supervisor.supervise(child, options, supervisor.hostTree(child, marker, before));
    }

    private ProcessLike afresh(CommandRequest order, SpawnOptions options) {
        String marker = supervisor.newMarker();
        Supervisor.Moment before = supervisor.now();
        Map<String, String> env = new HashMap<>(plan.env());
        env.put("PWD", options.cwd());
        env.putAll(order.env());
        env.put(CommandExecutor.MARKER, marker);
        ChildProcess child = supervisor.launch(LaunchSpec.builder(plan.shell(), "-c", "--", order.command())
                .env(env)
                .directory(options.cwd())
                .stdin(options.stdin())
                .stderr(options.stderr())
                .build());
        return supervise(child, marker, options, before);
    }

    private Slot prepare(HostPlan wanted, SpawnOptions.Stderr stderr) {
        Map<String, String> env = new HashMap<>(wanted.env());
        env.put(CommandExecutor.MARKER, supervisor.newMarker());
        LaunchSpec.Builder spec =
                starter.launch(HostEnvironment.SHELL, wanted.shell()).env(env).stderr(stderr);
        return new Slot(supervisor.launch(spec.build()), env);
    }

    @Override
    public void close() {
        pool.close();
        supervisor.close();
    }
}
