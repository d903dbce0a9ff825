package dev.paddock.executor.docker;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The result of a command.
 *
 * @param out its output on both streams
 */
record Runs(ExitStatus status, String out) {

    static Runs of(CommandExecutor executor, String cwd, String command) throws Exception {
        SpawnOptions options =
                SpawnOptions.builder(cwd).stderr(SpawnOptions.Stderr.MERGED).build();
        return of(executor.spawn(command, options));
    }

    static Runs of(ProcessLike process) throws Exception {
        CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> read(process), Thread::startVirtualThread);
        String text = out.get(60, TimeUnit.SECONDS);
        return new Runs(process.onExit().toCompletableFuture().get(60, TimeUnit.SECONDS), text);
    }

    private static String read(ProcessLike process) {
        try {
            return new String(process.stdout().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException fault) {
            throw new java.io.UncheckedIOException(fault);
        }
    }
}
