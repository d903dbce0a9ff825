package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/**
 * Distinguishes a command that the kernel killed because its cgroup had no memory left from one killed for another
 * reason.
 */
public final class OutOfMemoryVerdict {
    private static final int KILLED = 128 + Signal.KILL.number();

    private OutOfMemoryVerdict() {}

    /**
     * Maps the exit status of a command.
     *
     * @param status the status of its main process; death by SIGKILL, or a shell's 137 for its child's
     * @param oomKills how many processes the kernel has killed for lack of memory since the command started
     * @param limitBytes the memory limit
     * @return {@link ExitStatus.OutOfMemory} if the command was killed and the count has risen, the status otherwise
     */
    public static ExitStatus of(ExitStatus status, long oomKills, OptionalLong limitBytes) {
        return status.code() == KILLED && oomKills > 0 ? new ExitStatus.OutOfMemory(limitBytes) : status;
    }

    /**
     * Returns the mapping for a command that starts now.
     *
     * @param group the command's cgroup; its count is read now and after the command's exit
     * @param limitBytes the memory limit; without one, the machine's memory was exhausted
     */
    public static UnaryOperator<ExitStatus> since(Optional<ControlGroup> group, OptionalLong limitBytes) {
        if (group.isEmpty()) {
            return status -> status;
        }
        long before = group.get().oomKills();
        return status -> of(status, status.code() == KILLED ? group.get().oomKills() - before : 0, limitBytes);
    }
}
