package dev.paddock.executor.bwrap;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.process.table.PidfdProcess;
import dev.paddock.executor.sandbox.cgroup.ControlGroup;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.cgroup.OutOfMemoryVerdict;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Applies the limits of an executor's commands: a cgroup for all of them, and rlimits for each. */
final class CommandLimits implements AutoCloseable {
    private final LimitPlan plan;
    private final Optional<ControlGroup> group;
    private final List<ChildDescriptor> entrances;

    private CommandLimits(LimitPlan plan, Optional<ControlGroup> group, List<ChildDescriptor> entrances) {
        this.plan = plan;
        this.group = group;
        this.entrances = entrances.size() > SandboxLauncher.mostEntrances() ? List.of() : entrances;
    }

    static CommandLimits create(LimitPlan plan, ControlGroups groups, String name) {
        if (!plan.needsGroup()) {
            return new CommandLimits(plan, Optional.empty(), List.of());
        }
        Optional<ControlGroup> group = Optional.empty();
        try {
            group = Optional.of(groups.create(name, plan));
            return new CommandLimits(plan, group, group.get().entrances());
        } catch (IOException fault) {
            group.ifPresent(ControlGroup::close);
            throw new ExecutorException(
                    "the control group " + name + " could not be made: " + fault.getMessage(), fault);
        }
    }

    /**
     * Returns the {@code cgroup.procs} descriptors through which a sandbox's main process enters
     * the cgroup by itself, before it receives its command. The namespace's first process starts no
     * other process and stays outside.
     *
     * @return empty if the process has to be moved: {@link #apply} does, which takes the kernel
     *     milliseconds
     */
    List<ChildDescriptor> entrances() {
        return entrances;
    }

    /**
     * Applies the limits to a sandbox. Its command has not been executed, so that the limits bind
     * all processes it will start.
     */
    void apply(Sandbox sandbox) throws IOException {
        if (group.isPresent() && entrances.isEmpty()) {
            group.get().add(sandbox.main().pid());
        }
        plan.rlimitFileSize().ifPresent(bytes -> sandbox.main().limit(PidfdProcess.LIMIT_FILE_SIZE, bytes));
        plan.rlimitProcesses().ifPresent(number -> sandbox.main().limit(PidfdProcess.LIMIT_PROCESSES, number));
    }

    /**
     * Returns how many processes the kernel has killed because the commands' shared memory limit
     * was exhausted.
     */
    long oomKills() {
        return group.map(ControlGroup::oomKills).orElse(0L);
    }

    /** Returns the status to report for a killed command if the count has risen since. */
    Optional<ExitStatus> outOfMemory(long countBefore) {
        ExitStatus killed = new ExitStatus.Signaled(Signal.KILL);
        return Optional.of(OutOfMemoryVerdict.of(killed, oomKills() - countBefore, plan.memoryBytes()))
                .filter(ExitStatus.OutOfMemory.class::isInstance);
    }

    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
