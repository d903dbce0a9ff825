package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ForwardingProcess;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Starts unconfined processes, and records the order of the spawner's calls. */
final class FakeBackend implements SandboxBackend<String> {
    private static final String BUSY = "no process is left";

    final List<String> phases = Collections.synchronizedList(new ArrayList<>());
    final List<String> prepared = Collections.synchronizedList(new ArrayList<>());
    final List<Map<String, String>> startedWith = Collections.synchronizedList(new ArrayList<>());
    final List<Slot> slots = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger discarded = new AtomicInteger();

    /** The plan that {@link #stillHolds} accepts; any if empty. */
    String rightPlan = "";

    /** Holds the plan that {@link #plan} returns; empty to return a new one each time. */
    String constantPlan = "";

    /** A variable that does not pass exactly to a warm slot. */
    String inexact = "";

    StatusMapper mapper = StatusMapper.IDENTITY;
    Runnable beforeRelease = () -> {};

    /** Runs when the spawner waits for a cold sandbox. */
    Runnable setUp = () -> {};

    boolean breaks;

    /** How many sandboxes fail that would take their command a moment later. */
    final AtomicInteger busy = new AtomicInteger();

    /** Completes when no process of a sandbox is left, for all sandboxes of this backend. */
    CompletionStage<?> end = CompletableFuture.completedStage(true);

    /** Completes exceptionally to report the loss of every sandbox, whose processes run on. */
    final CompletableFuture<CleanupReport> loss = new CompletableFuture<>();

    /** Runs when the spawner waits for the end of a command's sandbox. */
    Runnable cleanup = () -> {};

    /** Runs when the spawner closes the sandbox of a command. */
    Runnable closing = () -> {};

    /** Runs when the spawner discards a sandbox, after that has ended. */
    Runnable discarding = () -> {};

    /** Changes the callbacks of every process. */
    UnaryOperator<CompletionStage<ExitStatus>> exits = UnaryOperator.identity();

    UnaryOperator<CompletionStage<CleanupReport>> closes = UnaryOperator.identity();

    private final Supervisor supervisor;
    private final WorktreeGuard guard;
    private final CommandLauncher launcher;
    private int plans;

    FakeBackend(Supervisor supervisor, WorktreeGuard guard) {
        this.supervisor = supervisor;
        this.guard = guard;
        this.launcher = CommandLauncher.of(supervisor);
    }

    @Override
    public String plan() {
        phases.add("plan");
        return constantPlan.isEmpty() ? "plan " + ++plans : constantPlan;
    }

    @Override
    public boolean stillHolds(String plan) {
        phases.add("check");
        return rightPlan.isEmpty() || plan.equals(rightPlan);
    }

    @Override
    public Optional<WorktreeGuard.Command> announce(String plan) {
        phases.add("announce");
        return Optional.of(guard.announce(ProtectionPlan.NONE));
    }

    @Override
    public boolean passesExactly(String name) {
        return !name.equals(inexact);
    }

    @Override
    public StartingSandbox prepare(String plan, Map<String, String> environment) {
        phases.add("prepare");
        prepared.add(plan);
        startedWith.add(environment);
        Map<String, String> env = new HashMap<>(environment);
        env.put("PLAN", plan);
        env.put("PATH", HostEnvironment.SYSTEM_PATH);
        env.put(CommandExecutor.MARKER, supervisor.newMarker());
        Slot slot = new Slot(
                supervisor.launch(launcher.launch("/bin/sh", "sh").env(env).build()), env);
        slots.add(slot);
        return new StartingSandbox() {
            @Override
            public WarmSlot await() {
                phases.add("await");
                setUp.run();
                return slot;
            }

            @Override
            public void discard() {
                slot.discard();
            }

            @Override
            public CompletionStage<?> onEnd() {
                return slot.onEnd();
            }
        };
    }

    @Override
    public boolean maySucceedSoon(IOException fault) {
        return BUSY.equals(fault.getMessage());
    }

    @Override
    public ExecutorException failure(IOException fault) {
        return new SandboxLostException("test", "it did not take the command: " + fault.getMessage(), fault);
    }

    @Override
    public void close() {
        supervisor.close();
    }

    final class Slot extends SupervisedSlot {
        private boolean broken;
        private boolean ended;

        Slot(ChildProcess child, Map<String, String> env) {
            super(supervisor, launcher, child, env);
        }

        void breakNow() {
            broken = true;
        }

        void endNow() {
            ended = true;
        }

        @Override
        public boolean hasEnded() {
            return ended;
        }

        @Override
        public StatusMapper statusMapper() {
            phases.add("mapper");
            return mapper;
        }

        @Override
        public ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException {
            phases.add("release");
            beforeRelease.run();
            if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException(BUSY);
            }
            if (broken || breaks) {
                throw new IOException("broken by the test");
            }
            return new Losable(super.release(request, options));
        }

        @Override
        public CompletionStage<?> onEnd() {
            phases.add("await end");
            cleanup.run();
            return end;
        }

        @Override
        public String describe() {
            return "process 12345";
        }

        @Override
        public void close() {
            phases.add("close");
            closing.run();
        }

        @Override
        public void discard() {
            phases.add("discard");
            discarded.incrementAndGet();
            super.discard();
            discarding.run();
        }
    }

    /** A process whose sandbox can be lost: then its callbacks fail, while it runs on. */
    private final class Losable extends ForwardingProcess {

        Losable(ProcessLike process) {
            super(process);
        }

        @Override
        public CompletionStage<ExitStatus> onExit() {
            return exits.apply(delegate()
                    .onExit()
                    .applyToEither(loss.thenApply(never -> new ExitStatus.Exited(0)), status -> status));
        }

        @Override
        public CompletionStage<CleanupReport> onClosed() {
            return closes.apply(delegate().onClosed().applyToEither(loss, report -> report));
        }
    }
}
