package dev.paddock.executor.docker;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command lines of programs of these tests that run in a JVM of their own. */
final class ChildJvm {
    private ChildJvm() {}

    /** Returns the line of a program; with a compiler and a collector for JVMs that live for a second. */
    static List<String> line(Class<?> program, String... arguments) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        line.addAll(List.of(arguments));
        return line;
    }
}
