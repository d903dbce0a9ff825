package dev.paddock.executor.ssh;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.SshServer;
import java.nio.file.Path;

/** A JVM with a session over ssh, started in order to be killed. */
final class SessionMain {
    private SessionMain() {}

    /**
     * Runs a command that does not end, and writes the path of the worktree there when it runs.
     *
     * @param arguments the client's configuration, the worktree, the command
     */
    public static void main(String[] arguments) throws Exception {
        try (SshExecutor executor = SshExecutor.builder(SshServer.HOST)
                .configFile(Path.of(arguments[0]))
                .worktree(Path.of(arguments[1]))
                .build()) {
            String there = executor.worktree().orElseThrow().commandPath();
            ProcessLike command = executor.spawn("echo up; " + arguments[2], SpawnOptions.in(there));
            if (command.stdout().read() == 'u') {
                System.out.println(there);
            }
            var unused = command.onExit().toCompletableFuture().join();
        }
    }
}
