package dev.paddock.executor.seatbelt;

import dev.paddock.executor.Availability;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.util.Optional;

/**
 * The program that confines, and the system that brings it.
 *
 * @param system the operating system's name, as the JVM has it
 * @param program the program's absolute path. Never looked for on {@code PATH}, where somebody else may have put one
 */
record MacSandbox(String system, String program) {
    static final MacSandbox OF_THIS_MACHINE =
            new MacSandbox(System.getProperty("os.name", ""), "/usr/bin/sandbox-exec");

    boolean isMac() {
        return system.startsWith("Mac");
    }

    /** Why nothing can be confined here; empty if it is worth a try. */
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
