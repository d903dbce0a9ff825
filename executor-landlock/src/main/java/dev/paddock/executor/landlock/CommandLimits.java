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

/** Keeps an executor's limits: one control group for all of its commands, and an rlimit on each. */
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
     * Puts the calling thread in the group, so that what it starts is there from the beginning.
     *
     * @return false if that cannot be done; then {@link #enter(long)} can
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
     * Puts a process in the group, which has started nothing yet.
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
     * @throws IOException if the process has ended
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

    /** Tells death for memory from other deaths, for a command that starts now. */
    UnaryOperator<ExitStatus> judge() {
        return OutOfMemoryVerdict.since(group, plan.memoryBytes());
    }

    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
