package dev.paddock.harness.tools.script;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.run.Capture;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.ToolSource;
import dev.paddock.harness.tools.command.NonInteractiveEnvironment;
import dev.paddock.harness.tools.text.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A tool that gives code to an interpreter's standard input, where the session's commands run. The command is the
 * interpreter with plain arguments: a list of allowed commands that names the interpreter allows any code, which may do
 * whatever the sandbox permits.
 *
 * <p>Defaults: the tool is named {@code run_} and the interpreter's file name; a script may take 120 seconds; the first
 * and the last 30,000 bytes of its output are returned.
 *
 * @since 0.1
 */
public final class ScriptTool implements ToolSource {
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.+/=:,@%-]+");
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(2);
    private static final Capture OUTPUT = Capture.headAndTail(60_000);
    private static final int MAX_CHARACTERS = 1 << 20;

    private final List<String> interpreter;
    private final String tool;
    private final Duration timeout;

    /**
     * Creates a tool with the defaults.
     *
     * @param interpreter the interpreter and its arguments, with which it reads a program from its standard
     *     input: {@code "python3", "-"}, {@code "node", "-"}, {@code "sh"}
     * @throws IllegalArgumentException if there is none, or a word has other characters than letters, digits
     *     and {@code _.+/=:,@%-}
     */
    public ScriptTool(String... interpreter) {
        this(List.of(interpreter), DEFAULT_TIMEOUT);
    }

    private ScriptTool(List<String> interpreter, Duration timeout) {
        if (interpreter.isEmpty()) {
            throw new IllegalArgumentException("a script tool needs an interpreter, such as python3");
        }
        for (String word : interpreter) {
            if (!WORD.matcher(word).matches()) {
                throw new IllegalArgumentException("not a plain word for an interpreter's command: '" + word + "'");
            }
        }
        this.interpreter = interpreter;
        this.timeout = timeout;
        String program = interpreter.getFirst();
        this.tool = "run_" + program.substring(program.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9_-]", "_");
    }

    /**
     * Returns this tool with another time limit.
     *
     * @param value how long a script may take
     * @return the tool
     * @throws IllegalArgumentException if it is not positive
     */
    public ScriptTool timeout(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("the timeout is " + value + "; it must be positive");
        }
        return new ScriptTool(interpreter, value);
    }

    @Override
    public String name() {
        return tool;
    }

    @Override
    public Opened open(Place place) {
        Script script = new Script(place.executor(), place.worktree().commandPath());
        return new Opened() {
            @Override
            public List<Tool> tools() {
                return List.of(script);
            }

            @Override
            public void close() {}
        };
    }

    private final class Script implements Tool {
        private final CommandExecutor executor;
        private final String directory;

        Script(CommandExecutor executor, String directory) {
            this.executor = executor;
            this.directory = directory;
        }

        @Override
        public String name() {
            return tool;
        }

        @Override
        public String title() {
            return "Run a script";
        }

        @Override
        public String description() {
            return "Runs code by '" + String.join(" ", interpreter) + "' in " + directory
                    + " and returns what it writes to stdout and stderr. The code is the interpreter's standard input, no"
                    + " shell reads it, and nothing else can be read from there. Each call begins anew, and is ended after "
                    + timeout.toSeconds() + " seconds.";
        }

        @Override
        public Json inputSchema() {
            return new Schema().required("code", "string", "The whole program.").build();
        }

        @Override
        public ExecutionSite executionSite() {
            return ExecutionSite.SANDBOX;
        }

        @Override
        public ToolResult execute(ToolCall call, ToolContext context) {
            String code = call.arguments().text("code").orElse("");
            if (code.length() > MAX_CHARACTERS) {
                throw new ToolException("The code has more than " + MAX_CHARACTERS
                        + " characters. It was not run. Write the data to a file, and let the code read that.");
            }
            try {
                return result(executor.run(
                        String.join(" ", interpreter),
                        RunOptions.in(directory)
                                .env(NonInteractiveEnvironment.VARIABLES)
                                .stdin(code.getBytes(StandardCharsets.UTF_8))
                                .stderr(SpawnOptions.Stderr.MERGED)
                                .capture(OUTPUT)
                                .timeout(timeout)
                                .signal(context.signal())));
            } catch (AbortedException aborted) {
                return ToolResult.error("The script was aborted before it was started.");
            } catch (ExecutorException fault) {
                return ToolResult.error("The script was not run: " + fault.getMessage());
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw new ToolException(
                        "The script was aborted: the session did not wait for it any longer.", interrupt);
            }
        }

        private ToolResult result(CommandResult ended) {
            String output = ended.outText();
            String end = switch (ended.outcome()) {
                case CommandOutcome.Exited exited ->
                    exited.status().code() == 0
                            ? ""
                            : "The script exited with code " + exited.status().code() + ".";
                case CommandOutcome.TimedOut late ->
                    "The script was ended after " + late.timeout().toSeconds() + " seconds.";
                case CommandOutcome.Aborted aborted -> "The script was aborted and ended.";
                case CommandOutcome.Lost lost ->
                    "The script was lost, and whether it has done its work is unknown: "
                            + lost.cause().getMessage();
            };
            if (end.isEmpty()) {
                return ToolResult.ok(output.isEmpty() ? "The script wrote nothing." : output);
            }
            return ToolResult.error(output + (output.isEmpty() || output.endsWith("\n") ? "" : "\n") + end);
        }
    }
}
