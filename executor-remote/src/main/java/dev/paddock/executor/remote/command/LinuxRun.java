package dev.paddock.executor.remote.command;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;

/** Identifies the current run of a Linux system that has no manager to ask. */
public final class LinuxRun {
    /**
     * Prints the machine's boot id and the start time of the remote system's first process, which a container's restart
     * changes; nothing if the scripts cannot find a command's processes there. The start time is the 22nd word of a
     * process's status, in which the name, in parentheses, may contain blanks.
     */
    private static final String INSPECT = """
            read -r b </proc/sys/kernel/random/boot_id 2>/dev/null || b=none
            for f in /proc/self/task/*/children; do [ -r "$f" ] && break; b=none; done
            i=
            read -r i </proc/1/stat 2>/dev/null
            set -- ${i##*) }
            [ "$b" = none ] || echo "$b-${20}"
            """;

    private LinuxRun() {}

    /**
     * Asks a remote shell.
     *
     * @param what the remote system in messages
     * @return identifies the run, see {@link SystemContext#run}
     * @throws SandboxUnavailableException if the remote system does not run Linux
     * @throws dev.paddock.executor.SandboxLostException if the connection ends
     */
    public static String of(SystemConnection connection, String what) {
        String run = connection.output(INSPECT).strip();
        if (run.isEmpty()) {
            throw new SandboxUnavailableException(
                    connection.backend(),
                    new Availability.Unusable(
                            what + " has no Linux /proc, which Paddock needs to find a command's processes",
                            "Name a host that runs Linux."));
        }
        return run;
    }
}
