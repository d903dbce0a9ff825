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
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code blocks of an agent's model in a sandbox. The application brings the artifact
 * {@code com.google.adk:google-adk}.
 *
 * <p>Each block runs in its own directory, which has the input files and is removed afterwards: in a {@linkplain
 * #python(WorkspaceProvider, WorkspaceConfig) workspace} of its own, or below an executor's {@linkplain
 * #python(CommandExecutor) worktree}. Files that the code makes or changes there, not in directories below, are the
 * output files: {@value #MAX_FILES} at most, of {@value #MAX_FILE_BYTES} bytes together. A note in the output counts
 * further ones. Code that fails or times out has no output files.
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

    private final Supplier<BlockDirectory> directories;
    private final boolean python;
    private final Duration timeout;

    private AdkCodeExecutor(Supplier<BlockDirectory> directories, boolean python, Duration timeout) {
        this.directories = directories;
        this.python = python;
        this.timeout = timeout;
    }

    /**
     * Runs blocks of Python, which ADK's default delimiters enclose, by the sandbox's {@code python3}, each below
     * the executor's worktree.
     *
     * @param executor the executor; the caller disposes of it, after the agent's last run
     * @return the code executor
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static AdkCodeExecutor python(CommandExecutor executor) {
        return of(executor, true);
    }

    /**
     * Runs blocks of Python as {@link #python(CommandExecutor)} does, each in a workspace of its own, which is
     * closed after the block.
     *
     * @param provider opens the workspaces; its {@code allowedCommands}, if it has some, include {@code python3}
     * @param config the workspaces' configuration: what they begin with, and what code may reach
     * @return the code executor
     * @throws IllegalArgumentException if the configuration is of another kind than the provider's, or lacks the
     *     capability {@link Capability#FILES} or {@link Capability#SHELL}
     */
    public static AdkCodeExecutor python(WorkspaceProvider provider, WorkspaceConfig config) {
        return of(provider, config, true);
    }

    /**
     * Runs blocks of shell commands, which {@code ```sh} or {@code ```bash} begin, by the executor's shell, each
     * below the executor's worktree.
     *
     * @param executor the executor; the caller disposes of it, after the agent's last run
     * @return the code executor
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree() worktree}
     */
    public static AdkCodeExecutor shell(CommandExecutor executor) {
        return of(executor, false);
    }

    /**
     * Runs blocks of shell commands as {@link #shell(CommandExecutor)} does, each in a workspace of its own, which
     * is closed after the block.
     *
     * @param provider opens the workspaces, and allows the commands
     * @param config as for {@link #python(WorkspaceProvider, WorkspaceConfig)}
     * @return the code executor
     * @throws IllegalArgumentException as {@link #python(WorkspaceProvider, WorkspaceConfig)} does
     */
    public static AdkCodeExecutor shell(WorkspaceProvider provider, WorkspaceConfig config) {
        return of(provider, config, false);
    }

    private static AdkCodeExecutor of(CommandExecutor executor, boolean python) {
        PathMapping worktree = executor.worktree()
                .orElseThrow(() -> new IllegalArgumentException(
                        "the executor '" + executor.name() + "' has no worktree to run code in: create it with one"));
        return new AdkCodeExecutor(
                () -> BlockDirectory.below(worktree, executor), python, Duration.ofSeconds(DEFAULT_SECONDS));
    }

    private static AdkCodeExecutor of(WorkspaceProvider provider, WorkspaceConfig config, boolean python) {
        if (!config.kind().equals(provider.kind())
                || !config.capabilities().containsAll(Set.of(Capability.FILES, Capability.SHELL))) {
            throw new IllegalArgumentException("code needs a workspace of the kind '" + provider.kind()
                    + "' with the capabilities FILES and SHELL, not one of the kind '" + config.kind() + "' with "
                    + config.capabilities());
        }
        return new AdkCodeExecutor(
                () -> BlockDirectory.of(provider.open(config)), python, Duration.ofSeconds(DEFAULT_SECONDS));
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
        return new AdkCodeExecutor(directories, python, value);
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
        Optional<BlockDirectory> directory = Optional.empty();
        CodeExecutionResult result = failed("");
        boolean interrupted = false;
        String left = "";
        try {
            BlockDirectory made = directories.get();
            directory = Optional.of(made);
            made.put(input.inputFiles());
            result = answer(run(input.code(), made), made);
        } catch (InterruptedException stop) {
            interrupted = true;
        } catch (FileException
                | ExecutorException
                | WorkspaceException
                | IllegalArgumentException
                | UncheckedIOException refused) {
            result = failed("The code could not be run: " + refused.getMessage());
        } finally {
            interrupted |= Thread.interrupted(); // which would end the removal
            left = directory.map(BlockDirectory::remove).orElse("");
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (interrupted) {
            throw new CancellationException("the code was ended, since its thread was interrupted" + left);
        }
        return noted(result, left);
    }

    private CommandResult run(String code, BlockDirectory directory) throws InterruptedException {
        RunOptions options = RunOptions.in(directory.commandPath())
                .stderr(SpawnOptions.Stderr.MERGED)
                .capture(Capture.headAndTail(2 * CAPTURED_HALF))
                .timeout(timeout);
        return python
                ? directory.executor().run("python3 -", options.stdin(code.getBytes(StandardCharsets.UTF_8)))
                : directory.executor().run(code, options);
    }

    private static CodeExecutionResult answer(CommandResult result, BlockDirectory directory) {
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
        BlockDirectory.Output made = directory.output();
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
