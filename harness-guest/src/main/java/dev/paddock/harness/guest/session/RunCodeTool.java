package dev.paddock.harness.guest.session;

import dev.paddock.executor.AbortedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.harness.guest.GuestCode;
import dev.paddock.harness.guest.GuestException;
import dev.paddock.harness.guest.GuestResult;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Schema;
import java.util.List;
import java.util.Optional;

/** The tool {@code run_code}: one piece of code in place of many tool calls. */
final class RunCodeTool implements Tool {
    private static final int MAX_CHARACTERS = 100_000;

    private final GuestSession guests;

    RunCodeTool(GuestSession guests) {
        this.guests = guests;
    }

    @Override
    public String name() {
        return "run_code";
    }

    @Override
    public String title() {
        return "Run code over the workspace";
    }

    @Override
    public String description() {
        return """
                Runs TypeScript over the workspace, in place of many single tool calls. The code is one module, without \
                imports, that exports `async function run(input, { WORKSPACE, EXEC, ENV, SECRETS, OBSERVE })` and returns \
                JSON. WORKSPACE: readText(path), writeText(path, text), list(path), stat(path), glob(pattern), \
                grep(text, {include, caseSensitive, maxResults}), remove(path, {recursive, force}). EXEC: run(program, \
                args, {cwd, stdin, timeoutMs}) returns {exitCode, stdout, stderr, timedOut}. ENV and SECRETS: get(name), \
                keys(). All return promises. console.log is captured. There are no other modules and no file system. \
                Return small results: they are what you read.""";
    }

    @Override
    public Json inputSchema() {
        return new Schema()
                .required("code", "string", "The module.")
                .optional("input", "object", "The first argument of run.")
                .build();
    }

    @Override
    public ExecutionSite executionSite() {
        return ExecutionSite.WORKTREE;
    }

    @Override
    public ToolResult execute(ToolCall call, ToolContext context) {
        GuestCode code = GuestCode.ts(call.arguments().text("code").orElse(""));
        Optional<Json> input = call.arguments().get("input");
        try {
            GuestResult result = guests.run(input.map(code::input).orElse(code), context.signal());
            return ToolResult.ok(cut(logs(result.logs()) + result.result()));
        } catch (GuestException fault) {
            String stack = fault.guestStack().isEmpty() ? "" : "\n" + fault.guestStack();
            return ToolResult.error(cut(logs(fault.logs()) + fault.name() + ": " + fault.getMessage() + stack));
        } catch (AbortedException aborted) {
            return ToolResult.error("The code was ended: " + aborted.getMessage());
        } catch (ExecutorException fault) {
            return ToolResult.error(String.valueOf(fault.getMessage()));
        }
    }

    private static String logs(List<String> logs) {
        return logs.isEmpty() ? "" : String.join("\n", logs) + "\n";
    }

    private static String cut(String text) {
        return text.length() <= MAX_CHARACTERS
                ? text
                : text.substring(0, MAX_CHARACTERS) + "\n… " + (text.length() - MAX_CHARACTERS)
                        + " more characters; return less";
    }
}
