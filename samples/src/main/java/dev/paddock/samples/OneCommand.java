package dev.paddock.samples;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.host.HostExecutor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs one command, without a model: passes its output on as it arrives, ends its whole process
 * tree after a timeout, and returns its exit status.
 */
public final class OneCommand {

    private OneCommand() {}

    /**
     * Runs a command on the host.
     *
     * @param arguments the command string
     * @throws IOException if the output cannot be passed on
     */
    public static void main(String[] arguments) throws IOException {
        try (CommandExecutor executor = HostExecutor.create()) {
            System.out.println(run(executor, arguments[0], Path.of("").toAbsolutePath()));
        }
    }

    static ExitStatus run(CommandExecutor executor, String command, Path directory) throws IOException {
        SpawnOptions options = SpawnOptions.builder(directory.toString())
                .env("GREETING", "hello")
                .signal(AbortSignal.timeout(Duration.ofSeconds(30)))
                .stderr(SpawnOptions.Stderr.MERGED)
                .build();
        ProcessLike process = executor.spawn(command, options);
        process.stdout().transferTo(System.out);
        return process.onExit().toCompletableFuture().join();
    }
}
