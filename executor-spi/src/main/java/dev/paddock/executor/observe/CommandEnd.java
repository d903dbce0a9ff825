package dev.paddock.executor.observe;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;

/**
 * How a command ended.
 *
 * @since 0.1
 */
public sealed interface CommandEnd {

    /**
     * The command has ended with a status.
     *
     * @param status of its main process
     * @param report what was found after its end
     * @since 0.1
     */
    record Closed(ExitStatus status, CleanupReport report) implements CommandEnd {}

    /**
     * The end of the command is not known, for example because its sandbox was lost.
     *
     * @param fault the reason
     * @since 0.1
     */
    record Lost(Throwable fault) implements CommandEnd {}

    /**
     * Returns the kind of end, for a record.
     *
     * @return "exited", "signaled" and the signal's name, "out of memory" or "lost"
     */
    default String kind() {
        // No switch over patterns: the JDK would generate it at the first command.
        if (!(this instanceof Closed closed)) {
            return "lost";
        }
        if (closed.status() instanceof ExitStatus.Signaled signaled) {
            return "signaled " + signaled.signal().name();
        }
        return closed.status() instanceof ExitStatus.OutOfMemory ? "out of memory" : "exited";
    }
}
