package dev.paddock.harness.springai;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.Ownership;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springaicommunity.sandbox.ExecResult;
import org.springaicommunity.sandbox.ExecSpec;
import org.springaicommunity.sandbox.Sandbox;
import org.springaicommunity.sandbox.SandboxException;
import org.springaicommunity.sandbox.SandboxFiles;
import org.springaicommunity.sandbox.TimeoutException;

/**
 * Runs the commands of Spring AI's agents in an executor. The application brings the artifact
 * {@code org.springaicommunity:agent-sandbox-core}.
 *
 * <p>Defaults: the executor's worktree, the {@linkplain AccessRules#standard() standard protected
 * paths}, and the first and last 512 KiB of each output stream; a line in the text says how many bytes
 * are left out.
 *
 * <p>A {@link ExecSpec#command() command} is an argument list, whose program the executor starts without
 * expanding anything; a program that does not exist exits with 127. A shell command runs in bash, or in
 * the executor's shell if the sandbox has no bash. Without a timeout a command may run
 * forever; with a timeout of zero it times out at once without running.
 *
 * <p>Every process of a command ends with it, with its timeout and with the sandbox, as far as the
 * executor's {@linkplain CommandExecutor#guarantees() guarantees} reach. Thread-safe.
 *
 * @since 0.1
 */
// If its module were required transitively, programs without it would not compile.
@SuppressWarnings("exports")
public final class PaddockSandbox implements Sandbox {
    /** How many entries are listed; paths have no more than 256 components. */
    private static final int MAX_LISTED = 100_000;

    /** The mark that {@link ExecSpec.Builder#shellCommand} puts on its only argument. */
    private static final String SHELL_COMMAND = "__SHELL_COMMAND__";

    private final CommandExecutor executor;
    private final Ownership ownership;
    private final String workDir;
    private final WorkspaceFiles files;
    private final SandboxFiles accessor;
    private final AbortController closing = new AbortController();

    private PaddockSandbox(CommandExecutor executor, Ownership ownership, PathMapping worktree) {
        this.executor = executor;
        this.ownership = ownership;
        this.workDir = worktree.commandPath();
        this.files = WorkspaceFiles.open(
                List.of(FileRoot.of(worktree)), AccessRules.standard().alsoKeeping(executor::isKept));
        this.accessor = new PaddockSandboxFiles(this, files, MAX_LISTED);
    }

    /**
     * Creates a sandbox that owns its executor.
     *
     * @param executor the executor; closing the sandbox disposes of it
     * @return the sandbox; the caller closes it
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static PaddockSandbox of(CommandExecutor executor) {
        return of(executor, Ownership.OWNED);
    }

    /**
     * Creates a sandbox.
     *
     * @param executor the executor
     * @param ownership whether closing the sandbox disposes of the executor, or ends its own commands alone
     * @return the sandbox; the caller closes it
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static PaddockSandbox of(CommandExecutor executor, Ownership ownership) {
        PathMapping worktree = executor.worktree()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the executor '" + executor.name() + "' has no worktree to work in: create it with one"));
        return new PaddockSandbox(executor, ownership, worktree);
    }

    /**
     * Runs a command to its end.
     *
     * @param spec the command, its variables and its timeout
     * @return its exit code, 128 + n after signal n, and its output
     * @throws SandboxException if it could not be started, timed out, was ended by {@link #close()}, was
     *     lost, or the thread was interrupted, which it then still is. After a timeout the cause is a
     *     {@link TimeoutException}, and the message has the output until then
     * @throws IllegalStateException if the sandbox is closed
     */
    @Override
    public ExecResult exec(ExecSpec spec) {
        requireOpen();
        Optional<Duration> timeout = timeout(spec);
        RunOptions options = RunOptions.in(workDir);
        CommandResult result;
        try {
            options = options.env(spec.env()).signal(closing.signal());
            result = executor.run(command(spec), timeout.isEmpty() ? options : options.timeout(timeout.get()));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new SandboxException("The command was ended, since its thread was interrupted", stop);
        } catch (ExecutorException | IllegalArgumentException failed) {
            throw notStarted(failed);
        }
        return switch (result.outcome()) {
            case CommandOutcome.Exited ended ->
                new ExecResult(ended.status().code(), result.outText(), result.errText(), result.took());
            case CommandOutcome.TimedOut late -> throw timedOut(late.timeout(), result.outText() + result.errText());
            case CommandOutcome.Aborted aborted ->
                throw new SandboxException("The command was ended: " + aborted.reason());
            case CommandOutcome.Lost lost ->
                throw new SandboxException(
                        "The command was lost: " + lost.cause().getMessage(), lost.cause());
        };
    }

    /**
     * Starts a command with a pipe as its standard input.
     *
     * @param spec the command and its variables; after a timeout it is ended like by {@code destroy}
     * @return the running command, as {@link ProcessLike#jdkProcess} describes it: {@code destroy} ends all its
     *     processes, and its id is the one in the sandbox
     * @throws SandboxException if it could not be started
     * @throws IllegalStateException if the sandbox is closed
     */
    @Override
    public Process startInteractive(ExecSpec spec) {
        requireOpen();
        Optional<Duration> timeout = timeout(spec);
        AbortSignal late = timeout.map(AbortSignal::timeout).orElse(AbortSignal.never());
        try {
            SpawnOptions.Builder options = SpawnOptions.builder(workDir).env(spec.env());
            return ProcessLike.jdkProcess(
                    executor,
                    command(spec),
                    options.stdin(SpawnOptions.Stdin.PIPE)
                            .signal(AbortSignal.any(closing.signal(), late))
                            .build());
        } catch (ExecutorException | IllegalArgumentException failed) {
            throw notStarted(failed);
        }
    }

    private static Optional<Duration> timeout(ExecSpec spec) {
        Optional<Duration> timeout = Optional.ofNullable(spec.timeout());
        timeout.filter(time -> time.isZero() || time.isNegative()).ifPresent(time -> {
            throw timedOut(time, "");
        });
        return timeout;
    }

    private static SandboxException timedOut(Duration timeout, String output) {
        String message =
                "The command timed out after " + timeout + (output.isEmpty() ? "" : "; its output:\n" + output);
        return new SandboxException(message, new TimeoutException(message, timeout));
    }

    private static SandboxException notStarted(RuntimeException failed) {
        return new SandboxException(
                failed instanceof AbortedException
                        ? "The command was not started: " + failed.getMessage()
                        : "The command could not be run: " + failed.getMessage(),
                failed);
    }

    private static String command(ExecSpec spec) {
        List<String> words = spec.command();
        if (words.size() == 2 && words.getFirst().equals(SHELL_COMMAND)) {
            return "shell=sh; command -v bash >/dev/null 2>&1 && shell=bash; exec \"$shell\" -c "
                    + ShellQuoting.posix(words.get(1));
        }
        return "exec " + ShellQuoting.posix(words); // without exec, a shell builtin would run for echo or test
    }

    private void requireOpen() {
        if (isClosed()) {
            throw new IllegalStateException("Sandbox is closed");
        }
    }

    /** Returns the worktree, by the path that commands see. */
    @Override
    public Path workDir() {
        return Path.of(workDir);
    }

    @Override
    public boolean isClosed() {
        return closing.signal().isAborted();
    }

    /**
     * Ends the commands of this sandbox; disposes of an owned executor. Idempotent. Files stay.
     *
     * @throws SandboxException if the executor could not end or remove something in time
     */
    @Override
    public void close() {
        closing.abort("the sandbox was closed");
        files.close();
        if (Objects.equals(ownership, Ownership.OWNED)) {
            try {
                executor.dispose();
            } catch (ExecutorException remaining) {
                throw new SandboxException(remaining.getMessage(), remaining);
            }
        }
    }

    /**
     * Returns the files of the worktree: contained in it, and protected paths are not written.
     *
     * @return the files; usable until the sandbox is closed
     */
    @Override
    public SandboxFiles files() {
        return accessor;
    }

    /** Returns false: the worktree belongs to the application. */
    @Override
    public boolean shouldCleanupOnClose() {
        return false;
    }
}
