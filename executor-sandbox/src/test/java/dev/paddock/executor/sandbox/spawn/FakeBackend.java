package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.launch.ChildProcess;
import dev.paddock.executor.process.launch.HostEnvironment;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.process.warm.CommandLauncher;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts unconfined processes, and records the order of the spawner's calls. */
final class FakeBackend implements SandboxBackend<String> {
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
    boolean breaks;

    private final Supervisor supervisor;
    private final WorktreeGuard guard;
    private final CommandLauncher starter;
    private int plans;

    FakeBackend(Supervisor supervisor, WorktreeGuard guard) {
        this.supervisor = supervisor;
        this.guard = guard;
        this.starter = CommandLauncher.of(supervisor);
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
    public StartingSandbox prepare(String plan, Map<String, String> environment, Optional<CommandRequest> order) {
        phases.add("prepare");
        prepared.add(plan);
        startedWith.add(environment);
        Map<String, String> env = new HashMap<>(environment);
        env.put("PLAN", plan);
        env.put("PATH", HostEnvironment.SYSTEM_PATH);
        env.put(CommandExecutor.MARKER, supervisor.newMarker());
        Slot slot = new Slot(
                supervisor.launch(starter.launch("/bin/sh", "sh").env(env).build()), env);
        slots.add(slot);
        return new StartingSandbox() {
            @Override
            public WarmSlot await() {
                phases.add("await");
                return slot;
            }

            @Override
            public void discard() {
                slot.discard();
            }
        };
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

        Slot(ChildProcess child, Map<String, String> env) {
            super(supervisor, starter, child, env);
        }

        void breakNow() {
            broken = true;
        }

        @Override
        public StatusMapper statusMapper() {
            phases.add("mapper");
            return mapper;
        }

        @Override
        public ProcessLike release(CommandRequest order, SpawnOptions options) throws IOException {
            phases.add("release");
            beforeRelease.run();
            if (broken || breaks) {
                throw new IOException("broken by the test");
            }
            return super.release(order, options);
        }

        @Override
        public boolean awaitEnd() {
            phases.add("await end");
            return true;
        }

        @Override
        public void close() {
            phases.add("close");
        }

        @Override
        public void discard() {
            phases.add("discard");
            discarded.incrementAndGet();
            super.discard();
        }
    }
}
