package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.process.table.PidfdProcess;
import dev.paddock.executor.sandbox.cgroup.ControlGroup;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.cgroup.OutOfMemoryVerdict;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Applies an executor's limits: one cgroup for all of its commands, and an rlimit on each. */
final class CommandLimits implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(CommandLimits.class.getName());

    private final LimitPlan plan;
    private final Optional<ControlGroup> group;

    private CommandLimits(LimitPlan plan, Optional<ControlGroup> group) {
        this.plan = plan;
        this.group = group;
    }

    static CommandLimits create(LimitPlan plan, ControlGroups groups) {
        if (!plan.needsGroup()) {
            return new CommandLimits(plan, Optional.empty());
        }
        String name = ControlGroups.newName(LandlockExecutor.NAME);
        try {
            return new CommandLimits(plan, Optional.of(groups.create(name, plan)));
        } catch (IOException fault) {
            throw new SandboxUnavailableException(
                    LandlockExecutor.NAME,
                    new Availability.Unusable(
                            "the control group " + name + " could not be made: " + fault.getMessage(),
                            "Do not set limits, or look at /sys/fs/cgroup.",
                            true));
        }
    }

    /**
     * Moves the calling thread into the cgroup, so that processes it starts are born there.
     *
     * @return false if the kernel does not allow it; the caller then uses {@link #enter(long)}
     */
    boolean enter() {
        if (group.isEmpty()) {
            return true;
        }
        try {
            return group.get().addCallingThread();
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "A thread cannot be moved to the control group; its processes will be", fault);
            return false;
        }
    }

    /**
     * Moves a process that has not started any other into the cgroup.
     *
     * @throws IOException if it cannot be moved
     */
    void enter(long pid) throws IOException {
        if (group.isPresent()) {
            group.get().add(pid);
        }
    }

    /**
     * Sets the limits that each process has for itself.
     *
     * @throws IOException if the process has exited
     */
    void limit(long pid) throws IOException {
        if (plan.rlimitFileSize().isPresent()) {
            try (PidfdProcess process = PidfdProcess.open(pid)
                    .orElseThrow(() -> new IOException("the process " + pid + " has ended before its command"))) {
                process.limit(
                        PidfdProcess.LIMIT_FILE_SIZE, plan.rlimitFileSize().getAsLong());
            }
        }
    }

    /**
     * Returns the mapping that reports a kill for lack of memory, for a command that starts now.
     */
    UnaryOperator<ExitStatus> judge() {
        return OutOfMemoryVerdict.since(group, plan.memoryBytes());
    }

    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
