package dev.paddock.harness.loop;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolContext;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.WorktreeMismatchException;
import dev.paddock.harness.tools.text.Excerpt;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Executes the calls of one turn concurrently, and returns their results in the order of the calls.
 */
public final class ToolRunner {
    private static final Logger LOG = LateLogger.of(ToolRunner.class);

    private final ToolSet tools;
    private final ExecutorService workers;
    private final EventHub events;
    private final Duration abortPatience;
    private final Optional<ApprovalGate> approvals;
    private final boolean takesImages;
    private final Supplier<List<String>> news;

    /**
     * Creates a runner.
     *
     * @param abortPatience how long a tool may take to return after an abort
     * @param approvals decides about each call; without it all are carried out
     * @param takesImages whether the model accepts images
     * @param news returns notices for the model that accompany the results, each once
     */
    public ToolRunner(
            ToolSet tools,
            ExecutorService workers,
            EventHub events,
            Duration abortPatience,
            Optional<ApprovalGate> approvals,
            boolean takesImages,
            Supplier<List<String>> news) {
        this.tools = tools;
        this.workers = workers;
        this.events = events;
        this.abortPatience = abortPatience;
        this.approvals = approvals;
        this.takesImages = takesImages;
        this.news = news;
    }

    /**
     * The results of a turn's calls, one for each, and the failure that prevents the session from working at all, if
     * any.
     */
    record Results(Message.ToolResults message, Optional<RuntimeException> fatal) {}

    public Results run(List<ToolCall> calls, AbortSignal signal) {
        List<Running> running = new ArrayList<>();
        for (ToolCall call : calls) {
            running.add(start(call, signal, text -> {}));
        }
        List<Message.ToolOutcome> outcomes = new ArrayList<>();
        Optional<RuntimeException> fatal = Optional.empty();
        for (Running one : running) {
            ToolResult result;
            try {
                result = await(one, signal, () -> {});
            } catch (WorktreeMismatchException | ExecutorDisposedException | WorkspaceUnusableException fault) {
                fatal = Optional.of(fault instanceof WorkspaceUnusableException unusable ? unusable.failure() : fault);
                result = error(fault);
            }
            one.end(result);
            outcomes.add(outcome(one.call(), outcomes.isEmpty() ? withNews(result) : result));
        }
        return new Results(new Message.ToolResults(outcomes), fatal);
    }

    /** Notes omitted images: a model that takes none must not believe that it has seen one. */
    private Message.ToolOutcome outcome(ToolCall call, ToolResult result) {
        if (takesImages || result.images().isEmpty()) {
            return Message.ToolOutcome.of(call.id(), call.name(), result.text(), result.isError(), result.images());
        }
        String text = Excerpt.withoutImages(result.text(), result.images());
        return Message.ToolOutcome.of(call.id(), call.name(), text, result.isError());
    }

    /** Executes one call that belongs to no turn. Interrupting the thread aborts the call. */
    public ToolResult run(ToolCall call, AbortSignal wanted, Consumer<String> updates) {
        AbortController interrupt = new AbortController();
        AbortSignal signal = AbortSignal.any(wanted, interrupt.signal());
        Running one = start(call, signal, updates);
        ToolResult result;
        try {
            result = await(one, signal, () -> interrupt.abort("the calling thread was interrupted"));
        } catch (WorktreeMismatchException | ExecutorDisposedException | WorkspaceUnusableException fault) {
            result = error(fault);
        }
        one.end(result);
        return withNews(result);
    }

    /** Appends the news to a result that certainly reaches the model: an abandoned tool's own result does not. */
    private ToolResult withNews(ToolResult result) {
        List<String> lines = news.get();
        if (lines.isEmpty()) {
            return result;
        }
        String text = result.text() + (result.text().endsWith("\n") ? "\n" : "\n\n") + String.join("\n", lines);
        ToolResult more = ToolResult.of(text, result.isError()).withDetails(result.details());
        for (ToolResult.Image image : result.images()) {
            more = more.withImage(image);
        }
        return more;
    }

    private static ToolResult error(RuntimeException fatal) {
        String message = String.valueOf(fatal.getMessage());
        if (fatal instanceof WorkspaceUnusableException) {
            return ToolResult.error("Nothing was done: " + message);
        }
        return ToolResult.error(
                fatal instanceof ExecutorDisposedException ? "The command was not run: " + message : message);
    }

    private ToolResult await(Running one, AbortSignal signal, Runnable onInterrupt) {
        try {
            return one.work().await(signal, abortPatience, onInterrupt);
        } catch (AbandonedException abandoned) {
            return ToolResult.error("The call was aborted, and the tool did not return within "
                    + abortPatience.toSeconds() + " s; it may still be at work.");
        }
    }

    private record Running(ToolCall call, LiveCall live, AbandonableTask<ToolResult> work, long startedAt) {
        void end(ToolResult result) {
            live.end(new SessionEvent.ToolEnded(call, result, Duration.ofNanos(System.nanoTime() - startedAt)));
        }
    }

    private Running start(ToolCall call, AbortSignal signal, Consumer<String> updates) {
        LiveCall live = new LiveCall(call, signal, events, updates);
        events.post(new SessionEvent.ToolStarted(call));
        long startedAt = System.nanoTime();
        AbandonableTask<ToolResult> work = AbandonableTask.start(workers, () -> {
            ToolResult result = execute(call, live);
            live.end(new SessionEvent.ToolEnded(call, result, Duration.ofNanos(System.nanoTime() - startedAt)));
            return result;
        });
        return new Running(call, live, work, startedAt);
    }

    private ToolResult execute(ToolCall call, ToolContext context) {
        if (context.signal().isAborted()) {
            return ToolResult.error("The call was aborted before it was started.");
        }
        try {
            return carryOut(call, context);
        } catch (ToolException fault) {
            return ToolResult.error(String.valueOf(fault.getMessage()));
        } catch (WorktreeMismatchException | ExecutorDisposedException | WorkspaceUnusableException fatal) {
            throw fatal;
        } catch (RuntimeException | Error fault) {
            // Errors are caught too: the turn's other calls have results, and the model must
            // receive this failure.
            LOG.log(Level.WARNING, "The tool " + call.name() + " failed", fault);
            return ToolResult.failed(call.name(), fault);
        }
    }

    private ToolResult carryOut(ToolCall call, ToolContext context) {
        Optional<Tool> tool = tools.named(call.name());
        if (tool.isEmpty()) {
            return ToolResult.error("There is no tool named '" + call.name() + "'. The tools are: "
                    + String.join(", ", tools.names()) + ".");
        }
        Json schema = tool.get().inputSchema();
        Json arguments = ArgumentCheck.withoutNulls(call.arguments(), schema);
        List<String> faults = ArgumentCheck.faults(arguments, schema);
        if (!faults.isEmpty()) {
            return ToolResult.error("The arguments of " + call.name() + " are not valid: " + String.join("; ", faults)
                    + ". Nothing was done; call it again with corrected arguments.");
        }
        ToolCall checked = new ToolCall(call.id(), call.name(), arguments);
        Optional<ToolResult> refusal = approvals.flatMap(gate -> gate.refusal(tool.get(), checked, context.signal()));
        return refusal.orElseGet(() -> executeChecked(tool.get(), checked, context));
    }

    private static ToolResult executeChecked(Tool tool, ToolCall call, ToolContext context) {
        ToolResult result = tool.execute(call, context);
        if (result == null || result.text() == null || result.details() == null) {
            // An integrator's tool may be compiled without null checks.
            LOG.log(
                    Level.WARNING,
                    "The tool " + call.name() + " (" + tool.getClass().getName() + ") returned " + result);
            return ToolResult.error("The tool " + call.name() + " returned "
                    + (result == null ? "null instead of a result" : "a result without text or details")
                    + ", which is a fault in the tool. What the call did is unknown.");
        }
        return result;
    }
}
