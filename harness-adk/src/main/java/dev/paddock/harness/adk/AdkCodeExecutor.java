package dev.paddock.harness.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.codeexecutors.BaseCodeExecutor;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionInput;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionResult;
import com.google.common.collect.ImmutableList;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.run.Capture;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code blocks of an agent's model in an executor. The application brings the artifact
 * {@code com.google.adk:google-adk}.
 *
 * <p>Each block runs in its own directory in the executor's worktree, which has the input files and
 * is removed afterwards. Files that the code leaves there, not in directories below, are the output files:
 * {@value #MAX_FILES} at most, of {@value #MAX_FILE_BYTES} bytes together. A note in the
 * output counts further ones. Code that fails or times out has no output files.
 *
 * <p>ADK shows the model standard output if standard error is empty, and only standard error otherwise.
 * So the output of both, in the order written, is returned as stdout if the code exits with 0, and as stderr
 * with the reason otherwise. The first and last {@value #CAPTURED_HALF} bytes are kept.
 *
 * <p>Code has {@value #DEFAULT_SECONDS} seconds by default. All its processes end with it, with its
 * timeout, and when the thread is interrupted, as far as the executor's {@linkplain
 * CommandExecutor#guarantees() guarantees} reach. Thread-safe.
 *
 * @since 0.1
 */
public final class AdkCodeExecutor extends BaseCodeExecutor {
    static final int MAX_FILES = 100;
    static final int MAX_FILE_BYTES = 32 << 20;

    private static final int DEFAULT_SECONDS = 60;
    private static final int CAPTURED_HALF = 32 << 10;
    private static final ImmutableList<ImmutableList<String>> PYTHON_BLOCKS =
            ImmutableList.of(ImmutableList.of("```tool_code\n", "\n```"), ImmutableList.of("```python\n", "\n```"));
    private static final ImmutableList<ImmutableList<String>> SHELL_BLOCKS =
            ImmutableList.of(ImmutableList.of("```sh\n", "\n```"), ImmutableList.of("```bash\n", "\n```"));

    private final CommandExecutor executor;
    private final PathMapping worktree;
    private final boolean python;
    private final Duration timeout;

    private AdkCodeExecutor(CommandExecutor executor, PathMapping worktree, boolean python, Duration timeout) {
        this.executor = executor;
        this.worktree = worktree;
        this.python = python;
        this.timeout = timeout;
    }

    /**
     * Runs blocks of Python, which ADK's default delimiters enclose, by the sandbox's {@code python3}.
     *
     * @param executor the executor; the caller disposes of it, after the agent's last run
     * @return the code executor
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static AdkCodeExecutor python(CommandExecutor executor) {
        return of(executor, true);
    }

    /**
     * Runs blocks of shell commands, which {@code ```sh} or {@code ```bash} begin, by the executor's shell.
     *
     * @param executor the executor; the caller disposes of it, after the agent's last run
     * @return the code executor
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static AdkCodeExecutor shell(CommandExecutor executor) {
        return of(executor, false);
    }

    private static AdkCodeExecutor of(CommandExecutor executor, boolean python) {
        PathMapping worktree = executor.worktree()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the executor '" + executor.name() + "' has no worktree to run code in: create it with one"));
        return new AdkCodeExecutor(executor, worktree, python, Duration.ofSeconds(DEFAULT_SECONDS));
    }

    /**
     * Returns a code executor with another timeout.
     *
     * @param value how long a block may take; more than zero
     * @return the code executor
     * @throws IllegalArgumentException if the value is zero or negative
     */
    public AdkCodeExecutor withTimeout(Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("the timeout must be more than zero, not " + value);
        }
        return new AdkCodeExecutor(executor, worktree, python, value);
    }

    @Override
    public ImmutableList<ImmutableList<String>> codeBlockDelimiters() {
        return python ? PYTHON_BLOCKS : SHELL_BLOCKS;
    }

    /**
     * Runs a block of code.
     *
     * @throws CancellationException if the thread is interrupted, which it then still is
     */
    @Override
    public CodeExecutionResult executeCode(@Nullable InvocationContext unused, CodeExecutionInput input) {
        BlockDirectory directory = new BlockDirectory(worktree);
        CodeExecutionResult result = failed("");
        boolean interrupted = false;
        String left = "";
        try {
            result = result(input, directory);
        } catch (InterruptedException stop) {
            interrupted = true;
        } finally {
            interrupted |= Thread.interrupted(); // which would end the removal
            left = directory.remove();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (interrupted) {
            throw new CancellationException("the code was ended, since its thread was interrupted" + left);
        }
        return noted(result, left);
    }

    private CodeExecutionResult result(CodeExecutionInput input, BlockDirectory directory) throws InterruptedException {
        AccessRules rules = AccessRules.standard().alsoKeeping(executor::isKept);
        try (WorkspaceFiles files = WorkspaceFiles.open(List.of(FileRoot.of(worktree)), rules)) {
            directory.create(files, input.inputFiles());
            return answer(run(input.code(), directory.commandPath()), files, directory);
        } catch (FileException | ExecutorException | IllegalArgumentException | UncheckedIOException refused) {
            return failed("The code could not be run: " + refused.getMessage());
        }
    }

    private CommandResult run(String code, String directory) throws InterruptedException {
        RunOptions options = RunOptions.in(directory)
                .stderr(SpawnOptions.Stderr.MERGED)
                .capture(Capture.headAndTail(2 * CAPTURED_HALF))
                .timeout(timeout);
        return python
                ? executor.run("exec python3 -", options.stdin(code.getBytes(StandardCharsets.UTF_8)))
                : executor.run(code, options);
    }

    private static CodeExecutionResult answer(CommandResult result, WorkspaceFiles files, BlockDirectory directory) {
        String output = result.outText();
        String before = output.isEmpty() || output.endsWith("\n") ? output : output + "\n";
        if (result.outcome() instanceof CommandOutcome.TimedOut late) {
            return failed(before + "The code was ended after " + late.timeout().toMillis() / 1000.0 + " s.");
        }
        if (!(result.outcome() instanceof CommandOutcome.Exited ended)) {
            return failed(before + "The code was ended or lost; its exit status is unknown.");
        }
        if (!ended.status().isSuccess()) {
            return failed(before + "Exit code: " + ended.status().code());
        }
        BlockDirectory.Output made = directory.output(files);
        return CodeExecutionResult.builder()
                .stdout(output + made.note())
                .outputFiles(made.files())
                .build();
    }

    /** Adds a note to the one text that ADK shows the model. */
    private static CodeExecutionResult noted(CodeExecutionResult result, String note) {
        boolean isFailed = !result.stderr().isEmpty();
        return CodeExecutionResult.builder()
                .stdout(isFailed ? result.stdout() : result.stdout() + note)
                .stderr(isFailed ? result.stderr() + note : "")
                .outputFiles(result.outputFiles())
                .build();
    }

    private static CodeExecutionResult failed(String text) {
        return CodeExecutionResult.builder().stderr(text).build();
    }
}
