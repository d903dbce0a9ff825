package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.AuditTrail;
import dev.paddock.harness.tools.command.CapturedRun;
import dev.paddock.harness.tools.command.CommandGate;
import dev.paddock.harness.tools.command.CommandLimits;
import dev.paddock.harness.tools.command.CommandRunner;
import dev.paddock.harness.tools.command.DeniedException;
import dev.paddock.harness.tools.command.Timeouts;
import dev.paddock.harness.tools.hint.CommandHints;
import dev.paddock.harness.tools.hint.SandboxDescription;
import dev.paddock.harness.tools.hint.SandboxFacts;
import dev.paddock.harness.tools.text.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Runs a shell command in the session's executor. */
public final class BashTool implements Tool {
    private final CommandRunner runner;
    private final CommandGate gate;
    private final CommandLimits limits;
    private final Background background;
    private final AuditTrail audits;
    private final CommandReport report;
    private final Optional<SandboxFacts> facts;

    /**
     * Creates the tool for a sandbox of which only the guarantees are known.
     *
     * @param runner runs the commands
     * @param gate checks each command before it runs
     * @param limits bounds on their time
     * @param background starts the commands that are to run in the background
     * @param audits opens the audit entry of each command
     */
    public BashTool(
            CommandRunner runner, CommandGate gate, CommandLimits limits, Background background, AuditTrail audits) {
        this(runner, gate, limits, background, audits, Optional.empty());
    }

    /**
     * Creates the tool.
     *
     * @param runner runs the commands
     * @param gate checks each command before it runs
     * @param limits bounds on their time
     * @param background starts the commands that are to run in the background
     * @param audits opens the audit entry of each command
     * @param facts the facts about the sandbox, for the description and for hints
     */
    public BashTool(
            CommandRunner runner,
            CommandGate gate,
            CommandLimits limits,
            Background background,
            AuditTrail audits,
            Optional<SandboxFacts> facts) {
        this.facts = facts;
        this.runner = runner;
        this.gate = gate;
        this.limits = limits;
        this.background = background;
        this.audits = audits;
        this.report = new CommandReport(
                limits,
                background.available(),
                facts.map(CommandHints::forModel),
                runner.guarantees().contains(Guarantee.TREE_KILL));
    }

    @Override
    public String name() {
        return "bash";
    }

    @Override
    public ExecutionSite executionSite() {
        return ExecutionSite.SANDBOX;
    }

    @Override
    public String title() {
        return "Run a command";
    }

    @Override
    public String description() {
        return "Runs a command in " + runner.directory() + ", by " + runner.shellName()
                + ", and returns what it writes to stdout and stderr, in order of arrival. " + lasting()
                + " Of long output " + MaxOutput.description(limits.maxOutput())
                + "; the whole is in a file that the notice names. Standard input is"
                + " empty, and nobody answers prompts. The command is ended after timeout seconds (default "
                + Timeouts.seconds(limits.defaultTimeout()) + ", at most "
                + Timeouts.seconds(limits.maximumTimeout()) + "). What it leaves running is ended when it ends"
                + (background.available() ? "; start a service with run_in_background, without & behind it. " : ". ")
                + SandboxStateDescription.of(runner.guarantees())
                + facts.map(known -> " " + SandboxDescription.of(known)).orElse("")
                + (gate.rule().isEmpty() ? "" : " " + gate.rule());
    }

    /** Describes the state that persists from one command to the next. */
    private String lasting() {
        if (!runner.keepsDirectory()) {
            return "Each command has a new shell: a cd or a variable does not last.";
        }
        return "Each command has a new shell, which starts where the last command ended, if that is in the worktree;"
                + " variables and functions do not last"
                + (takesInput() ? ", unless you start sh in the background with stdin, and use write_stdin." : ".");
    }

    @Override
    public Json inputSchema() {
        Schema schema = new Schema()
                .required(
                        "command",
                        "string",
                        "The command, as a string for " + runner.shellName() + "; several lines are fine.")
                .optional("cwd", "string", "The directory to start in, if another one. Optional.")
                .optional(
                        "timeout",
                        "number",
                        "Seconds after which the command is ended. Optional; a background command has none.")
                .optional(
                        "run_in_background",
                        "boolean",
                        background.available()
                                ? "Start the command and return at once. Optional."
                                : "Not available in this session.");
        if (background.available() && runner.guarantees().contains(Guarantee.PUBLISHED_PORTS)) {
            ShellPort.describe(schema);
        }
        MaxOutput.describe(RawOutput.describe(schema), limits.maxOutput());
        return (takesInput() ? ShellInput.describe(schema) : schema).build();
    }

    @Override
    public Optional<Json> outputSchema() {
        return Optional.of(ResultSchema.command());
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        String command = call.arguments().text("command").orElse("");
        boolean inBackground = call.arguments().flag("run_in_background");
        AuditTrail.Entry audit = audits.begin(call.id(), command, inBackground);
        try {
            requireSane(command);
            ShellInput input = input(call.arguments(), inBackground);
            Optional<PublishedPort> port = ShellPort.in(call.arguments());
            Duration timeout = Timeouts.of(call.arguments().get("timeout"), limits);
            int most = MaxOutput.in(call.arguments(), limits.maxOutput());
            if (inBackground) {
                if (background.available()) {
                    gate.pass(command, context.signal());
                }
                return background.start(command, directory(call.arguments()), input, port, context, audit);
            }
            if (port.isPresent()) {
                throw new DeniedException("Only a command with run_in_background can publish a port. It was not run.");
            }
            gate.pass(command, context.signal());
            return run(call, timeout, most, context, audit);
        } catch (DeniedException denied) {
            audit.ended(Outcome.DENIED);
            throw denied;
        } catch (RuntimeException fault) {
            audit.ended(context.signal().isAborted() ? Outcome.ABORTED : Outcome.FAILED);
            throw fault;
        }
    }

    private String directory(Json arguments) {
        return runner.directory(arguments.text("cwd").orElse(""));
    }

    /**
     * Returns whether commands can have an input. Not with an allow list: no gate checks text that is written to a
     * running command.
     */
    private boolean takesInput() {
        return background.available() && gate.rule().isEmpty();
    }

    private ShellInput input(Json arguments, boolean inBackground) {
        ShellInput input = ShellInput.of(arguments);
        if (!input.pipe()) {
            return input;
        }
        if (!inBackground) {
            throw new DeniedException(
                    "Only a command with run_in_background can have an input or a terminal." + " It was not run.");
        }
        if (background.available() && !takesInput()) {
            throw new DeniedException("This session allows only some commands, and could not check what is written to a"
                    + " running one: commands have an empty input. It was not run.");
        }
        return input;
    }

    private ToolResult run(ToolCall call, Duration timeout, int most, ToolContext context, AuditTrail.Entry audit) {
        try {
            CapturedRun finished = runner.run(
                    call.arguments().text("command").orElse(""),
                    directory(call.arguments()),
                    timeout,
                    most,
                    context.signal(),
                    context::update);
            audit.ended(finished);
            boolean raw = RawOutput.in(call.arguments());
            return report.of(finished, runner.takeLate(), raw, most);
        } catch (AbortedException aborted) {
            audit.ended(Outcome.ABORTED);
            return ToolResult.error("Command aborted before it was started. It was not run.");
        } catch (SandboxLostException lost) {
            audit.ended(Outcome.LOST);
            return ToolResult.error(
                    "The command was lost while it was being started, and may have run: " + lost.getMessage());
        } catch (ExecutorDisposedException disposed) {
            audit.ended(Outcome.FAILED);
            throw disposed; // no later command can run either
        } catch (ExecutorException notStarted) {
            audit.ended(Outcome.FAILED);
            return ToolResult.error("The command was not run: " + notStarted.getMessage());
        } catch (InterruptedException interrupted) {
            audit.ended(Outcome.LOST); // aborted, and its end not seen
            Thread.currentThread().interrupt();
            throw new ToolException("Command aborted: the session did not wait for it any longer.", interrupted);
        }
    }

    private static void requireSane(String command) {
        if (command.indexOf('\0') >= 0) {
            throw new DeniedException(
                    "The command contains a NUL character, which a shell cannot take. It was not run.");
        }
        int bytes = command.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > CommandExecutor.MAX_COMMAND_BYTES) {
            throw new DeniedException(
                    "The command is " + bytes + " bytes long, more than the "
                            + CommandExecutor.MAX_COMMAND_BYTES
                            + " that a command may have. It was not run. Write the data to a file, and let the command read that.");
        }
    }
}
