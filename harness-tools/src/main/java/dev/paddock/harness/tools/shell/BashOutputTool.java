package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortedException;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.TimedPattern;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.output.ShellOutput;
import dev.paddock.harness.tools.text.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** Returns the output of a background shell since the last read. */
public final class BashOutputTool implements Tool {
    private final BackgroundShells shells;

    /**
     * Creates the tool.
     *
     * @param shells the session's shells
     */
    public BashOutputTool(BackgroundShells shells) {
        this.shells = shells;
    }

    @Override
    public String name() {
        return "bash_output";
    }

    @Override
    public boolean isReadOnly() {
        return true;
    }

    @Override
    public String title() {
        return "Read a background shell's output";
    }

    @Override
    public String description() {
        return "Gives what a background shell has written to stdout and stderr since the last call, in whole lines, and"
                + " whether it is running, completed, failed or killed. It returns at once, or with wait_seconds when the"
                + " shell has ended or has written what until describes. With a filter, only lines that"
                + " match are given; the others are passed over and not given later.";
    }

    @Override
    public Json inputSchema() {
        Schema schema = ShellId.schema()
                .optional("filter", "string", "A regular expression that a line has to contain. Optional.")
                .optional(
                        "wait_seconds",
                        "number",
                        "Wait for the shell's end, at most so long, and at most " + ShellWait.MAX_SECONDS
                                + ". Optional.")
                .optional(
                        "until",
                        "string",
                        "Wait only until a new line contains this regular expression, such as listening on. Optional.");
        return MaxOutput.describe(RawOutput.describe(schema), shells.maxOutput())
                .build();
    }

    @Override
    public ExecutionSite executionSite() {
        return ExecutionSite.SANDBOX;
    }

    @Override
    public Optional<Json> outputSchema() {
        return Optional.of(ResultSchema.shell());
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        BackgroundShell shell = shells.named(ShellId.of(call.arguments()));
        int most = MaxOutput.in(call.arguments(), shells.maxOutput());
        List<String> more = new ArrayList<>();
        ShellWait.of(call.arguments(), context.signal())
                .ifPresent(wait -> more.addAll(wait.on(shell, context::update)));
        return read(shell, filter(call.arguments(), context, more), more, RawOutput.in(call.arguments()), most);
    }

    /** Returns the unread output of a shell and its status. */
    static ToolResult read(
            BackgroundShell shell, Optional<TimedPattern> filter, List<String> more, boolean raw, int most) {
        // Read the status before the output: if the shell has ended by then, the output is complete.
        String status = shell.statusLine();
        Map<String, Object> details = shell.details();
        ShellOutput.Unread unread;
        try {
            unread = shell.read(filter, most);
        } catch (AbortedException aborted) {
            throw new ToolException("Aborted. Nothing was passed over: the next call gives the same output.", aborted);
        }
        more.addAll(unread.notices());
        more.addAll(shell.notices());
        more.add(status);
        String nothing = unread.filtered() ? "(no new output matches the filter)" : "(no new output)";
        unread.output().describe(details, raw, most);
        return ToolResult.ok(unread.output().text(nothing, more, raw, most)).withDetails(Json.of(details));
    }

    private static Optional<TimedPattern> filter(Json arguments, ToolContext context, List<String> notices) {
        String expression = arguments.text("filter").orElse("");
        if (expression.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(TimedPattern.compile(expression, 0, context.signal()));
        } catch (PatternException invalid) {
            String reason = invalid.getCause() instanceof PatternSyntaxException syntax
                    ? "it is no regular expression: " + syntax.getDescription() + " near index " + syntax.getIndex()
                    : invalid.getMessage();
            notices.add("[The filter was not applied, and all new output is given: " + reason + ".]");
            return Optional.empty();
        }
    }
}
