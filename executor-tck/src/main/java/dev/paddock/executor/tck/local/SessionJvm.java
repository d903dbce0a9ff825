package dev.paddock.executor.tck.local;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JVM that runs one command with the implementer's executor, started to be killed. */
final class SessionJvm implements AutoCloseable {
    private final Process process;

    private SessionJvm(Process process) {
        this.process = process;
    }

    /**
     * Runs the JVM; waits for the end of its input.
     *
     * @param args the implementer's class, the worktree, a directory for the quarantine, the command
     * @throws Exception if the executor cannot be created
     */
    public static void main(String[] args) throws Exception {
        Constructor<?> constructor = Class.forName(args[0]).getDeclaredConstructor();
        constructor.setAccessible(true);
        HeldProcessContract implementer = (HeldProcessContract) constructor.newInstance();
        Path worktree = Path.of(args[1]);
        try (CommandExecutor executor = implementer.create(
                SandboxPolicy.builder(PathMapping.same(worktree)).build(), Path.of(args[2], "quarantine"))) {
            ProcessLike process = executor.spawn(
                    args[3], SpawnOptions.builder(worktree.toString()).build());
            System.in.readAllBytes();
            process.kill(dev.paddock.executor.Signal.KILL);
        }
    }

    static SessionJvm start(Class<?> implementer, Path worktree, Path directory, String command) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
        line.addAll(List.of("-cp", classPath(), SessionJvm.class.getName(), implementer.getName()));
        line.addAll(List.of(worktree.toString(), directory.toString(), command));
        return new SessionJvm(new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("session.log").toFile())
                .start());
    }

    private static String classPath() {
        return Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }
}
