package dev.paddock.samples;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Model;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * Shows the events of a session as they happen: the event type is sealed, so that a {@code switch}
 * handles those that it wants.
 */
public final class Progress {

    private Progress() {}

    /**
     * Runs a model and prints its events.
     *
     * @param model the model
     * @param worktree the directory in which it works
     * @param executor runs its commands; disposed at the end
     * @param out receives the lines
     * @return the outcome of the run
     */
    public static RunOutcome watch(Model model, Path worktree, CommandExecutor executor, PrintStream out) {
        try (AgentSession session = AgentSession.builder()
                .model(model)
                .cwd(worktree)
                .executor(executor)
                .listener(event -> report(event, out))
                .build()) {
            return session.prompt("Make the failing test pass.");
        }
    }

    private static void report(SessionEvent event, PrintStream out) {
        switch (event) {
            case SessionEvent.ToolStarted started ->
                out.println("> " + started.call().name() + " " + started.call().arguments());
            case SessionEvent.ToolEnded ended ->
                out.println((ended.result().isError() ? "failed" : "done") + " after "
                        + ended.took().toMillis() + " ms");
            case SessionEvent.RunEnded ended -> out.println(ended.outcome().end());
            default -> {}
        }
    }
}
