package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.policy.ProtectedPaths;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A session in a JVM of its own that begins a command, changes the worktree, and waits to be killed. */
final class KilledSession {
    private KilledSession() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path directory = Path.of(args[0]);
        Path worktree = directory.resolve("work tree");
        WorktreeGuard guard = WorktreeGuard.open(
                worktree,
                ProtectedPaths.standard(),
                Files.createDirectories(directory.resolve("child")),
                directory.resolve("journals"),
                directory.resolve("quarantine"));
        guard.begin(ProtectionPlan.NONE);
        Process command = new ProcessBuilder("sh", "-c", args[1])
                .directory(worktree.toFile())
                .start();
        command.waitFor();
        System.in.read();
        guard.close();
    }

    static Process start(Path directory, String command) throws IOException {
        String classPath = Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        KilledSession.class.getName(),
                        directory.toString(),
                        command))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("child.log").toFile())
                .start();
    }
}
