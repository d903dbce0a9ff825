package dev.paddock.harness.audit.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Appends records to a store, without an end, and prints the number of each that is appended. */
final class AppenderProgram {
    private AppenderProgram() {}

    static Process start(Path directory) throws IOException {
        return start(AppenderProgram.class, directory);
    }

    /** Starts a JVM with this one's class path. */
    static Process start(Class<?> program, Path directory) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                // Where the driver leaves its library when the JVM is killed.
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName(),
                directory.toString());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Reads what a program prints, so that it never waits for a reader. */
    static void drain(Process program) {
        Thread thread = new Thread(() -> program.inputReader().lines().forEach(line -> {}));
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] arguments) {
        try (AuditStore store = AuditStore.open(Path.of(arguments[0]))) {
            for (int number = 1; ; number++) {
                store.write(Stores.record(number));
                System.out.println(number);
            }
        }
    }
}
