package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/** Writes to the input of a background shell, and returns the shell's answer. */
public final class WriteStdinTool implements Tool {
    private static final int MAX_BYTES = 64 << 10;

    /** The pause after which an answer is returned. */
    private static final Duration PAUSE = Duration.ofMillis(300);

    /** The longest wait for the first byte of an answer. */
    private static final Duration FIRST = Duration.ofSeconds(1);

    private static final Duration MAX_WAIT = Duration.ofSeconds(3);
    private static final Duration STEP = Duration.ofMillis(20);

    private final BackgroundShells shells;

    /**
     * Creates the tool.
     *
     * @param shells the session's shells
     */
    public WriteStdinTool(BackgroundShells shells) {
        this.shells = shells;
    }

    @Override
    public String name() {
        return "write_stdin";
    }

    @Override
    public String title() {
        return "Type into a background shell";
    }

    @Override
    public String description() {
        return "Writes text to a background shell that was started with stdin or terminal, and gives what the shell has"
                + " written since the last call, an unfinished line included: it waits until the output pauses, "
                + MAX_WAIT.toSeconds() + " seconds at most. End a line with \\n. In a terminal, control characters are"
                + " keys: \\u0003 is Ctrl-C, \\u0004 Ctrl-D, \\u001b Escape; it echoes what is typed, and its colors and"
                + " cursor movements are left out of the output.";
    }

    @Override
    public Json inputSchema() {
        return ShellId.schema()
                .optional(
                        "text", "string", "The text, at most " + MAX_BYTES + " bytes; may be empty to wait for output.")
                .optional(
                        "close",
                        "boolean",
                        "Close the input after the text: the command reads the end of its input. Optional.")
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
        byte[] text = call.arguments().text("text").orElse("").getBytes(StandardCharsets.UTF_8);
        if (text.length > MAX_BYTES) {
            throw new ToolException("The text is " + text.length + " bytes long, more than the " + MAX_BYTES
                    + " that one call may have. Nothing was written.");
        }
        ShellWriter writer = shell.writer()
                .orElseThrow(() -> new ToolException(shell.id() + " has an empty input: nothing was written. Start the"
                        + " command with stdin or terminal to write to it."));
        if (!shell.isLive()) {
            throw new ToolException(shell.id() + " has ended: nothing was written. " + shell.statusLine());
        }
        long before = shell.outputBytes();
        writer.write(text, call.arguments().flag("close"));
        awaitAnswer(shell, before, context.signal());
        return BashOutputTool.read(shell, Optional.empty(), new ArrayList<>(), false, shells.maxOutput());
    }

    /** Waits until the output pauses, the shell has ended, or the time is over. */
    private static void awaitAnswer(BackgroundShell shell, long before, AbortSignal signal) {
        long start = System.nanoTime();
        long changed = start;
        long seen = before;
        try {
            while (!signal.isAborted()) {
                long now = System.nanoTime();
                if (shell.outputBytes() != seen) {
                    seen = shell.outputBytes();
                    changed = now;
                }
                Duration bound = seen == before ? FIRST : PAUSE;
                if (now - changed >= bound.toNanos() || now - start >= MAX_WAIT.toNanos()) {
                    return;
                }
                if (shell.awaitEnd(STEP)) {
                    return;
                }
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ToolException("Aborted. The text was written.", interrupt);
        }
    }
}
