package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Availability;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.util.Optional;

/**
 * Locates the program that confines commands, and checks that the operating system has it.
 *
 * @param system the operating system's name, as the JVM reports it
 * @param program the program's absolute path. Never looked up on {@code PATH}, where another user
 *     may have put a program of that name
 */
record MacSandbox(String system, String program) {
    static final MacSandbox OF_THIS_MACHINE =
            new MacSandbox(System.getProperty("os.name", ""), "/usr/bin/sandbox-exec");

    boolean isMac() {
        return system.startsWith("Mac");
    }

    /** Returns the reason why no command can be confined here; empty if the program may work. */
    Optional<Availability.Unusable> problem() {
        if (!isMac()) {
            return Optional.of(new Availability.Unusable(
                    "this is no macOS but " + system, "Use bwrap or landlock on Linux, or docker anywhere."));
        }
        if (HostEnvironment.findProgram(program).isEmpty()) {
            return Optional.of(new Availability.Unusable(
                    "there is no " + program + ", which macOS brings", "Repair the system, or use docker."));
        }
        return Optional.empty();
    }
}
