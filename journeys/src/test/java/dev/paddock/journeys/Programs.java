package dev.paddock.journeys;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs of the machine that journeys take. */
final class Programs {
    /** A {@code PATH} of the system's programs alone. */
    static final String SYSTEM = "/usr/local/bin:/usr/bin:/bin";

    private Programs() {}

    /** Skips the test where a program is missing, which the build installs. */
    static void require(String name) {
        Prerequisite.require(has(name), "no program " + name);
    }

    /** Returns whether the machine has a program. */
    static boolean has(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory).resolve(name)));
    }
}
