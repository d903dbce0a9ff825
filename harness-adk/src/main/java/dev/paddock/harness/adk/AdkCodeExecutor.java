package dev.paddock.harness.adk;

import com.google.adk.agents.InvocationContext;
import com.google.adk.codeexecutors.BaseCodeExecutor;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionInput;
import com.google.adk.codeexecutors.CodeExecutionUtils.CodeExecutionResult;
import com.google.adk.codeexecutors.CodeExecutionUtils.File;
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
import dev.paddock.harness.files.workspace.Entry;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code blocks of an agent's model in an executor. The application brings the artifact
 * {@code com.google.adk:google-adk}.
 *
 * <p>Each block runs in its own directory in the executor's worktree, which has the input files and
 * is removed afterwards. Files that the code leaves there, not in directories below, are the output files:
 * {@value #MAX_FILES} at most, of {@value #MAX_FILE_BYTES} bytes together.
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
    private static final int DEFAULT_SECONDS = 60;
    private static final int CAPTURED_HALF = 32 << 10;
    private static final int MAX_FILES = 100;
    private static final int MAX_FILE_BYTES = 32 << 20;
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
        String directory = "paddock-code-" + UUID.randomUUID();
        boolean interrupted = false;
        AccessRules rules = AccessRules.standard().alsoKeeping(executor::isKept);
        try (WorkspaceFiles files = WorkspaceFiles.open(List.of(FileRoot.of(worktree)), rules)) {
            try {
                Map<String, byte[]> given = write(files, directory, input.inputFiles());
                return answer(run(input.code(), directory), files, directory, given);
            } catch (InterruptedException stop) {
                interrupted = true;
                throw new CancellationException("the code was ended, since its thread was interrupted");
            } finally {
                files.remove(directory, true);
            }
        } catch (FileException | ExecutorException | IllegalArgumentException refused) {
            return failed("The code could not be run: " + refused.getMessage());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<String, byte[]> write(WorkspaceFiles files, String directory, List<File> inputs) {
        files.mkdir(directory, false);
        Map<String, byte[]> given = new HashMap<>();
        for (File input : inputs) {
            if (input.name().contains("/")
                    || input.name().equals("..")
                    || input.name().equals(".")) {
                throw new IllegalArgumentException("the input file '" + input.name() + "' is not a plain name");
            }
            byte[] content = Base64.getDecoder().decode(input.content());
            var unusedPath = files.write(directory + "/" + input.name(), content);
            given.put(input.name(), content);
        }
        return given;
    }

    private CommandResult run(String code, String directory) throws InterruptedException {
        String parent = worktree.commandPath();
        RunOptions options = RunOptions.in((parent.equals("/") ? "" : parent) + "/" + directory)
                .stderr(SpawnOptions.Stderr.MERGED)
                .capture(Capture.headAndTail(2 * CAPTURED_HALF))
                .timeout(timeout);
        return python
                ? executor.run("exec python3 -", options.stdin(code.getBytes(StandardCharsets.UTF_8)))
                : executor.run(code, options);
    }

    private static CodeExecutionResult answer(
            CommandResult result, WorkspaceFiles files, String directory, Map<String, byte[]> given) {
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
        return collect(output, files, directory, given);
    }

    private static CodeExecutionResult collect(
            String output, WorkspaceFiles files, String directory, Map<String, byte[]> given) {
        List<File> made = new ArrayList<>();
        List<String> left = new ArrayList<>();
        long room = MAX_FILE_BYTES;
        for (Entry entry : files.list(directory)) {
            if (entry.kind() != Entry.Kind.FILE) {
                continue;
            }
            if (made.size() == MAX_FILES || entry.size() > room) {
                left.add(entry.name());
                continue;
            }
            byte[] content = files.read(entry.path(), room);
            if (!Arrays.equals(content, given.get(entry.name()))) {
                room -= content.length;
                String type = URLConnection.guessContentTypeFromName(entry.name());
                made.add(File.builder()
                        .name(entry.name())
                        .content(Base64.getEncoder().encodeToString(content))
                        .mimeType(Objects.requireNonNullElse(type, "application/octet-stream"))
                        .build());
            }
        }
        String note =
                left.isEmpty() ? "" : "\n[" + left.size() + " files left out, among them " + left.getFirst() + "]";
        return CodeExecutionResult.builder()
                .stdout(output + note)
                .outputFiles(made)
                .build();
    }

    private static CodeExecutionResult failed(String text) {
        return CodeExecutionResult.builder().stderr(text).build();
    }
}
