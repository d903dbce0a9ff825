package dev.paddock.samples;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.executor.run.Capture;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Runs one command to its end, with input, a time limit and bounded output. When the time is over,
 * the command's whole process tree is ended.
 */
public final class BoundedRun {

    private BoundedRun() {}

    /**
     * Runs a command on the host, and shows how it ended and what it wrote.
     *
     * @param arguments the command string, and a file that it reads
     * @throws InterruptedException if the thread is interrupted; the command has been ended
     */
    public static void main(String[] arguments) throws InterruptedException {
        try (CommandExecutor executor = HostExecutor.create()) {
            RunOptions options = RunOptions.in(Path.of("").toAbsolutePath().toString());
            CommandResult result =
                    run(executor, arguments[0], options.stdin(Path.of(arguments[1])), Duration.ofSeconds(5));
            System.out.println(result.outcome() + "\n" + result.outText());
        }
    }

    static CommandResult run(CommandExecutor executor, String command, RunOptions input, Duration longest)
            throws InterruptedException {
        return executor.run(command, input.timeout(longest).capture(Capture.headAndTail(64 << 10)));
    }
}
