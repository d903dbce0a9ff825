package dev.paddock.harness.koog;

import ai.koog.agents.ext.tool.shell.ShellCommandExecutor;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.run.Capture;
import java.time.Duration;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.InterruptibleKt;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of Koog's {@code ExecuteShellCommandTool} in an executor; the application adds the artifact
 * {@code ai.koog:agents-ext-jvm}. A command runs in the executor's shell, and in its worktree if the model names no
 * directory. The result contains the output of both streams, in the order written: the first and last
 * {@value #CAPTURED_HALF} bytes. After a timeout or another forced end it has no exit code, and its last line is the
 * reason.
 *
 * <p>All processes of a command end with it, with its timeout, and when the coroutine is cancelled, as far as the
 * executor's {@linkplain CommandExecutor#guarantees() guarantees} reach; a cancelled coroutine resumes when they have
 * ended. Thread-safe.
 *
 * @since 0.1
 */
public final class KoogShell implements ShellCommandExecutor {
    private static final int CAPTURED_HALF = 32 << 10;

    private final CommandExecutor executor;
    private final String worktree;

    private KoogShell(CommandExecutor executor, String worktree) {
        this.executor = executor;
        this.worktree = worktree;
    }

    /**
     * Creates a shell.
     *
     * @param executor the executor; the caller disposes of it, after the agent's last run
     * @return the shell
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static KoogShell of(CommandExecutor executor) {
        return new KoogShell(
                executor,
                executor.worktree()
                        .orElseThrow(() -> new IllegalArgumentException("the executor '" + executor.name()
                                + "' has no worktree to run commands in: create it with one"))
                        .commandPath());
    }

    /**
     * Runs a command on a thread of {@code Dispatchers.IO}. From Kotlin, a suspending function.
     *
     * @param command the command, for the executor's shell
     * @param workingDirectory an absolute path in the sandbox; null for the worktree
     * @param timeoutSeconds how long it may run; with 0 or less, nothing runs
     * @param completion receives the result, or an {@link dev.paddock.executor.ExecutorException} if the command could
     *     not be run, whose message Koog's tool passes to the model
     * @return the result, or Kotlin's marker of a suspended coroutine
     */
    @Override
    public @Nullable Object execute(
            String command,
            @Nullable String workingDirectory,
            int timeoutSeconds,
            Continuation<? super ExecutionResult> completion) {
        // Interrupts the thread when the coroutine is cancelled, and waits for it.
        return InterruptibleKt.runInterruptible(
                Dispatchers.getIO(),
                () -> run(command, workingDirectory == null ? worktree : workingDirectory, timeoutSeconds),
                completion);
    }

    private ExecutionResult run(String command, String directory, int timeoutSeconds) {
        if (timeoutSeconds <= 0) {
            return new ExecutionResult(timedOut(timeoutSeconds) + "; it was not started", null);
        }
        CommandResult result = unchecked(() -> executor.run(
                command,
                RunOptions.in(directory)
                        .stderr(SpawnOptions.Stderr.MERGED)
                        .capture(Capture.headAndTail(2 * CAPTURED_HALF))
                        .timeout(Duration.ofSeconds(timeoutSeconds))));
        String output = result.outText().stripTrailing();
        String before = output.isEmpty() ? "" : output + "\n";
        if (result.outcome() instanceof CommandOutcome.Exited ended) {
            return new ExecutionResult(output, ended.status().code());
        }
        return new ExecutionResult(
                before
                        + (result.outcome() instanceof CommandOutcome.TimedOut
                                ? timedOut(timeoutSeconds)
                                : "The command was ended or lost; its exit status is unknown"),
                null);
    }

    private static String timedOut(int seconds) {
        return "Command timed out after " + seconds + " seconds"; // as Koog's own executor says
    }

    /** Throws InterruptedException undeclared, as Kotlin functions do; it cancels the coroutine. */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> CommandResult unchecked(Run run) throws X {
        try {
            return run.run();
        } catch (InterruptedException cancelled) {
            throw (X) cancelled;
        }
    }

    @FunctionalInterface
    private interface Run {
        CommandResult run() throws InterruptedException;
    }
}
