package dev.paddock.executor.sandbox.backend;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.table.PidfdProcess;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.process.launch.ChildDescriptor;
import dev.paddock.executor.sandbox.cgroup.ControlGroup;
import dev.paddock.executor.sandbox.cgroup.ControlGroups;
import dev.paddock.executor.sandbox.cgroup.LimitPlan;
import dev.paddock.executor.sandbox.cgroup.OutOfMemoryVerdict;
import dev.paddock.executor.sandbox.spawn.StatusMapper;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies an executor's limits: one cgroup for all its commands, and rlimits on each. */
public final class EnforcedLimits implements AutoCloseable {
    private static final System.Logger LOG = LateLogger.of(EnforcedLimits.class);

    private final String backend;
    private final LimitPlan plan;
    private final Optional<ControlGroup> group;

    private EnforcedLimits(String backend, LimitPlan plan, Optional<ControlGroup> group) {
        this.backend = backend;
        this.plan = plan;
        this.group = group;
    }

    /**
     * Creates the cgroup, if a limit needs it.
     *
     * @param backend the backend's name
     * @param plan assigns the limits to mechanisms
     * @param groups the cgroups of this machine
     * @return the limits; the caller closes them
     * @throws SandboxUnavailableException if the cgroup cannot be created
     */
    public static EnforcedLimits create(String backend, LimitPlan plan, ControlGroups groups) {
        if (!plan.needsGroup()) {
            return new EnforcedLimits(backend, plan, Optional.empty());
        }
        String name = ControlGroups.newName(backend);
        try {
            return new EnforcedLimits(backend, plan, Optional.of(groups.create(name, plan)));
        } catch (IOException fault) {
            throw unavailable(backend, "the control group " + name + " could not be created", fault);
        }
    }

    private static SandboxUnavailableException unavailable(String backend, String reason, IOException fault) {
        return new SandboxUnavailableException(
                backend,
                new Availability.Unusable(
                        reason + ": " + FileFaults.reason(fault), "Do not set limits, or check /sys/fs/cgroup.", true));
    }

    /**
     * Returns the {@code cgroup.procs} descriptors through which a process enters the cgroup by itself.
     *
     * @param most how many the process can use
     * @return empty if there is no cgroup, or it needs more descriptors: {@link #enter(long)} then moves the process,
     *     which takes the kernel milliseconds
     * @throws SandboxUnavailableException if the descriptors cannot be opened
     */
    public List<ChildDescriptor> cgroupProcs(int most) {
        if (group.isEmpty()) {
            return List.of();
        }
        try {
            List<ChildDescriptor> descriptors = group.get().cgroupProcs();
            return descriptors.size() > most ? List.of() : descriptors;
        } catch (IOException fault) {
            throw unavailable(backend, "the commands' control group cannot be entered", fault);
        }
    }

    /**
     * Returns the directories from which the commands' runtimes read their limits.
     *
     * @return by the path below {@code /sys/fs/cgroup}; empty if no limit concerns runtimes, or the kernel offers no
     *     such directory
     */
    public Map<String, Path> shown() {
        return group.map(ControlGroup::shown).orElse(Map.of());
    }

    /**
     * Moves the calling thread into the cgroup, so that the processes that it starts are born there.
     *
     * @return false if the kernel does not allow it; use {@link #enter(long)} then
     */
    public boolean enterCallingThread() {
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
     * Moves a process that has not started another into the cgroup.
     *
     * @throws IOException if it cannot be moved
     */
    public void enter(long pid) throws IOException {
        if (group.isPresent()) {
            group.get().add(pid);
        }
    }

    /**
     * Sets the rlimits of a process that has not executed its command.
     *
     * @throws IOException if the process has exited
     */
    public void limit(long pid) throws IOException {
        if (plan.needsRlimit()) {
            try (PidfdProcess process = PidfdProcess.open(pid)
                    .orElseThrow(() -> new IOException("the process " + pid + " has ended before its command"))) {
                limit(process);
            }
        }
    }

    /** Sets the rlimits of a process that has not executed its command. */
    public void limit(PidfdProcess process) {
        plan.rlimitFileSize().ifPresent(bytes -> process.limit(PidfdProcess.LIMIT_FILE_SIZE, bytes));
        plan.rlimitProcesses().ifPresent(number -> process.limit(PidfdProcess.LIMIT_PROCESSES, number));
    }

    /**
     * Returns the mapper for a command that starts now.
     *
     * @return reports a kill as {@link dev.paddock.executor.ExitStatus.OutOfMemory} if the kernel has since killed a
     *     process of the cgroup for lack of memory
     */
    public StatusMapper statusMapper() {
        return OutOfMemoryVerdict.since(group, plan.memoryBytes())::apply;
    }

    @Override
    public void close() {
        group.ifPresent(ControlGroup::close);
    }
}
