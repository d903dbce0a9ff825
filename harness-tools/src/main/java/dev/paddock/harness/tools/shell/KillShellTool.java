package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.tools.ExecutionSite;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.command.Timeouts;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Terminates a background shell. */
public final class KillShellTool implements Tool {
    private final BackgroundShells shells;

    /**
     * Creates the tool.
     *
     * @param shells the session's shells
     */
    public KillShellTool(BackgroundShells shells) {
        this.shells = shells;
    }

    @Override
    public String name() {
        return "kill_shell";
    }

    @Override
    public String title() {
        return "End a background shell";
    }

    @Override
    public String description() {
        return "Ends a background shell with all that it has started: by SIGTERM, and by SIGKILL if any of it remains "
                + Timeouts.unit(shells.bounds().killGrace()) + " later. Returns when it has ended.";
    }

    @Override
    public Json inputSchema() {
        return ShellId.schema().build();
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
        boolean wasLive = shell.end("kill_shell");
        if (!awaitEnd(shell, context.signal())) {
            return ToolResult.error(shell.id() + " received SIGTERM and, "
                            + Timeouts.unit(shells.bounds().killGrace())
                            + " later, SIGKILL, but has not been seen to"
                            + " end yet. bash_output reports when it has.")
                    .withDetails(Json.of(shell.details()));
        }
        String text = (wasLive ? "" : shell.id() + " had ended before; nothing was killed. ")
                + shell.statusLine()
                + (shell.hasUnread() ? " bash_output gives the rest of its output." : "");
        return ToolResult.ok(text).withDetails(Json.of(shell.details()));
    }

    /** Waits for the shell to end, until an abort at the latest; returns whether it has ended. */
    private boolean awaitEnd(BackgroundShell shell, AbortSignal signal) {
        CompletableFuture<Object> aborted = new CompletableFuture<>();
        AbortSignal.Registration registration = signal.onAbort(() -> aborted.complete(signal));
        try {
            CompletableFuture.anyOf(shell.over(), aborted)
                    .get(shells.bounds().killPatience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return !shell.isLive();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ToolException(shell.id() + " received SIGTERM; the call did not wait for its end.", interrupted);
        } finally {
            registration.close();
        }
        return !shell.isLive();
    }
}
