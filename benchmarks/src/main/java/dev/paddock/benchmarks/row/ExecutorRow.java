package dev.paddock.benchmarks.row;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.time.Duration;

/** Runs commands in an executor. */
public record ExecutorRow(CommandExecutor executor, String cwd, Duration settling) implements Row {

    ExecutorRow(CommandExecutor executor, String cwd) {
        this(executor, cwd, SETTLING);
    }

    @Override
    public Times run(String command) throws IOException {
        SpawnOptions options = SpawnOptions.in(cwd);
        long start = System.nanoTime();
        ProcessLike process = executor.spawn(command, options);
        long firstByte = OutputReader.drain(process.stdout(), process.stderr());
        ExitStatus status = process.onExit().toCompletableFuture().join();
        long exit = System.nanoTime();
        process.onClosed().toCompletableFuture().join();
        if (status.code() != 0) {
            throw new IOException("'" + command + "' ended with " + status);
        }
        return new Times(firstByte - start, exit - start);
    }

    @Override
    public void close() {
        executor.close();
    }
}
