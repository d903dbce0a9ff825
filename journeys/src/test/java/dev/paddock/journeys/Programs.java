package dev.paddock.journeys;

import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Programs of the machine that journeys take. */
final class Programs {
    private Programs() {}

    /** Skips the test where a program is missing. */
    static void require(String name) {
        boolean found = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory).resolve(name)));
        Prerequisite.require(found, "no program " + name);
    }
}
