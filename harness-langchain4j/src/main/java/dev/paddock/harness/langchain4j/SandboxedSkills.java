package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.skills.FileSystemSkill;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.run.Capture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Gives the skills of a LangChain4j application a shell whose commands an executor runs. The application
 * brings the artifact {@code dev.langchain4j:langchain4j-skills}, and LangChain4j in its version.
 *
 * <p>The model sees each skill with the path of its {@code SKILL.md} in the sandbox, reads it and
 * the files next to it, and runs its scripts with the tool {@value #TOOL}. A skill is in the worktree, or
 * mounted at its host path.
 *
 * <p>A command runs in the worktree, for the seconds that the model asks for: {@value #DEFAULT_SECONDS}
 * by default, 1 to {@value #MAX_SECONDS}. Its result has the first and last {@value #CAPTURED_HALF} bytes
 * of its output. All processes of a command end with it, and when the calling thread is interrupted, as
 * far as the executor's {@linkplain CommandExecutor#guarantees() guarantees} reach. Thread-safe.
 *
 * @since 0.1
 */
// If their modules were required transitively, programs without them would not compile.
@SuppressWarnings("exports")
public final class SandboxedSkills {
    private static final String TOOL = "run_shell_command";
    private static final int DEFAULT_SECONDS = 30;
    private static final int MAX_SECONDS = 3600;
    private static final int CHECK_SECONDS = 30;
    private static final int CAPTURED_HALF = 32 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final CommandExecutor executor;
    private final String directory;
    private final String description;

    private SandboxedSkills(CommandExecutor executor, String directory, String description) {
        this.executor = executor;
        this.directory = directory;
        this.description = description;
    }

    /**
     * Offers skills to a model.
     *
     * @param executor runs the commands; the caller disposes of it, after the last call
     * @param skills the skills, as {@code FileSystemSkillLoader} loads them
     * @return the skills' tool and description
     * @throws IllegalArgumentException if the executor has no {@linkplain CommandExecutor#worktree()
     *     worktree}, or commands cannot read a skill's {@code SKILL.md}
     * @throws ExecutorException if the executor cannot run commands, or they cannot look at the files within {@value
     *     #CHECK_SECONDS} seconds
     * @throws InterruptedException if the thread is interrupted
     */
    public static SandboxedSkills of(CommandExecutor executor, Collection<? extends FileSystemSkill> skills)
            throws InterruptedException {
        PathMapping worktree = executor.worktree()
                .orElseThrow(() -> new IllegalArgumentException("the executor '" + executor.name()
                        + "' has no worktree to run a skill's commands in: create it with one"));
        List<String> files = new ArrayList<>();
        StringBuilder description = new StringBuilder("<available_skills>\n");
        for (FileSystemSkill skill : skills) {
            Path file = skill.basePath().toAbsolutePath().resolve("SKILL.md");
            String shown = worktree.toCommand(file).orElse(file.normalize().toString());
            files.add(shown);
            description
                    .append("<skill>\n<name>" + xml(skill.name()) + "</name>\n<description>")
                    .append(xml(skill.description()) + "</description>\n<location>" + xml(shown))
                    .append("</location>\n</skill>\n");
        }
        requireReadable(executor, worktree.commandPath(), files);
        return new SandboxedSkills(executor, worktree.commandPath(), description + "</available_skills>");
    }

    private static void requireReadable(CommandExecutor executor, String directory, List<String> files)
            throws InterruptedException {
        String looked = "for file in \"$@\"; do [ -r \"$file\" ] || printf '%s\\n' \"$file\"; done";
        String command = "set -- " + ShellQuoting.posix(files) + "; " + looked;
        String missing = executor.run(command, RunOptions.in(directory).timeout(Duration.ofSeconds(CHECK_SECONDS)))
                .orThrow()
                .outText();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "commands cannot read " + missing.strip().replace("\n", ", ")
                            + ": put the skill into the worktree, or mount its directory at the same path");
        }
    }

    /**
     * Returns the names, descriptions and paths of the skills, for the system message.
     *
     * @return XML, as LangChain4j's own
     */
    public String formatAvailableSkills() {
        return description;
    }

    /**
     * Returns the provider of the tool {@value #TOOL}. A call runs on the thread on which the application
     * executes tools.
     *
     * @return the provider, for {@code AiServices.builder(…).toolProvider}
     */
    public ToolProvider toolProvider() {
        ToolSpecification tool = ToolSpecification.builder()
                .name(TOOL)
                .description("Runs a command in a sandbox, by its shell, and returns its output and exit code."
                        + " Read a skill's location with it before you use the skill.")
                .parameters(JsonObjectSchema.builder()
                        .addStringProperty("command", "The command. It starts in " + directory + ".")
                        .addIntegerProperty(
                                "timeout_seconds",
                                "After how many seconds the command is ended: " + DEFAULT_SECONDS
                                        + " by default, at most " + MAX_SECONDS + ".")
                        .required("command")
                        .build())
                .build();
        ToolProviderResult tools =
                ToolProviderResult.builder().add(tool, new Shell()).build();
        return request -> tools;
    }

    private static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private final class Shell implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return call(request).resultText();
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            return call(request);
        }

        private ToolExecutionResult call(ToolExecutionRequest request) {
            try {
                JsonNode arguments = JSON.readTree(request.arguments() == null ? "" : request.arguments());
                if (!arguments.path("command").isTextual()) {
                    return failed("Nothing was run: 'command' is missing or not a text.");
                }
                JsonNode seconds = arguments.path("timeout_seconds");
                if (!seconds.isMissingNode() && !seconds.isNull() && !isTimeout(seconds)) {
                    return failed("Nothing was run: timeout_seconds is " + seconds + ", not a whole number from 1 to "
                            + MAX_SECONDS + ".");
                }
                return run(arguments.path("command").textValue(), seconds.asInt(DEFAULT_SECONDS));
            } catch (JsonProcessingException malformed) {
                return failed("Nothing was run: the arguments are not a JSON object.");
            }
        }

        private static boolean isTimeout(JsonNode seconds) {
            return seconds.canConvertToInt()
                    && seconds.isIntegralNumber()
                    && seconds.intValue() >= 1
                    && seconds.intValue() <= MAX_SECONDS;
        }

        private ToolExecutionResult run(String command, int seconds) {
            try {
                CommandResult result = executor.run(
                        command,
                        RunOptions.in(directory)
                                .stderr(SpawnOptions.Stderr.MERGED)
                                .capture(Capture.headAndTail(2 * CAPTURED_HALF))
                                .timeout(Duration.ofSeconds(seconds)));
                return answer(result, seconds);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return failed("The command was ended, since the call was cancelled.");
            } catch (ExecutorException refused) {
                return failed("The command could not be run: " + refused.getMessage());
            }
        }

        private static ToolExecutionResult answer(CommandResult result, int seconds) {
            String output = result.outText();
            String before = output.isEmpty() || output.endsWith("\n") ? output : output + "\n";
            if (result.outcome() instanceof CommandOutcome.TimedOut) {
                return failed(before + "The command was ended after " + seconds + " s.");
            }
            if (result.outcome() instanceof CommandOutcome.Exited ended) {
                return ended.status().isSuccess()
                        ? text(output.isEmpty() ? "(no output)" : output, false)
                        : failed(before + "Exit code: " + ended.status().code());
            }
            return failed(before + "The command was ended or lost; its exit status is unknown.");
        }

        private static ToolExecutionResult failed(String text) {
            return text(text, true);
        }

        private static ToolExecutionResult text(String text, boolean isError) {
            return ToolExecutionResult.builder()
                    .isError(isError)
                    .resultText(text)
                    .build();
        }
    }
}
