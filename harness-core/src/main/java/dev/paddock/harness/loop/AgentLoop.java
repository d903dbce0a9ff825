package dev.paddock.harness.loop;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the turns of a prompt: requests a turn from the model and executes its tool calls, until a
 * turn has none.
 */
public final class AgentLoop {
    private static final Logger LOG = LateLogger.of(AgentLoop.class);

    private final Model model;
    private final String systemPrompt;
    private final ToolSet tools;
    private final ToolRunner toolRunner;
    private final Conversation conversation;
    private final EventHub events;
    private final ExecutorService workers;
    private final CommandExecutor executor;
    private final Supplier<List<String>> news;
    private final int maxTurns;
    private final Duration modelPatience;
    private final Queue<String> steering = new ConcurrentLinkedQueue<>();

    public AgentLoop(
            Model model,
            String systemPrompt,
            ToolSet tools,
            ToolRunner toolRunner,
            Conversation conversation,
            EventHub events,
            ExecutorService workers,
            CommandExecutor executor,
            Supplier<List<String>> news,
            int maxTurns,
            Duration modelPatience) {
        this.model = model;
        this.systemPrompt = systemPrompt;
        this.tools = tools;
        this.toolRunner = toolRunner;
        this.conversation = conversation;
        this.events = events;
        this.workers = workers;
        this.executor = executor;
        this.news = news;
        this.maxTurns = maxTurns;
        this.modelPatience = modelPatience;
    }

    /** Adds news for the model before the user's next message; during a run, tool results carry it. */
    private void addNews() {
        List<String> lines = news.get();
        if (!lines.isEmpty()) {
            conversation.add(new Message.User(String.join("\n", lines)));
        }
    }

    public void steer(String text) {
        steering.add(text);
    }

    public RunOutcome run(String prompt, AbortSignal signal) {
        Run run = new Run(signal);
        events.post(new SessionEvent.RunStarted(prompt));
        RunOutcome outcome;
        try {
            conversation.closeOpenCalls();
            addNews();
            conversation.add(new Message.User(prompt));
            outcome = run.turns();
        } catch (ModelException fault) {
            LOG.log(Level.DEBUG, "The model did not complete its turn", fault);
            outcome = run.failed(fault);
        } catch (RuntimeException fault) {
            LOG.log(Level.WARNING, "The run failed", fault);
            outcome = run.failed(fault);
        }
        events.post(new SessionEvent.RunEnded(outcome));
        return outcome;
    }

    private final class Run {
        private final AbortSignal signal;
        private String lastText = "";
        private int turns;

        Run(AbortSignal signal) {
            this.signal = signal;
        }

        RunOutcome outcome(RunOutcome.End end) {
            return RunOutcome.builder(end).text(lastText).turns(turns).build();
        }

        RunOutcome failed(RuntimeException fault) {
            return RunOutcome.builder(RunOutcome.End.FAILED)
                    .text(lastText)
                    .turns(turns)
                    .failure(fault)
                    .build();
        }

        RunOutcome turns() {
            while (true) {
                if (signal.isAborted()) {
                    return outcome(RunOutcome.End.ABORTED);
                }
                if (turns == maxTurns) {
                    return outcome(RunOutcome.End.MAX_TURNS);
                }
                takeSteering();
                turns++;
                Optional<RunOutcome> over = turn();
                if (over.isPresent()) {
                    return over.get();
                }
            }
        }

        private void takeSteering() {
            if (!steering.isEmpty()) {
                addNews();
            }
            for (String text = steering.poll(); text != null; text = steering.poll()) {
                conversation.add(new Message.User(text));
            }
        }

        private Optional<RunOutcome> turn() {
            Optional<RunOutcome> over = takeTurn();
            // The model cannot distinguish a command that disposal killed from one that failed: end the run.
            return executor.isDisposed() && !signal.isAborted()
                    ? Optional.of(failed(new ExecutorDisposedException(executor.name())))
                    : over;
        }

        private Optional<RunOutcome> takeTurn() {
            events.post(new SessionEvent.TurnStarted(turns));
            Optional<AssistantTurn> answer = ask();
            if (answer.isEmpty()) {
                endTurn(Optional.empty());
                return Optional.of(outcome(RunOutcome.End.ABORTED));
            }
            AssistantTurn turn = answer.get();
            lastText = turn.text();
            conversation.add(new Message.Assistant(turn.text(), turn.toolCalls()));
            if (turn.toolCalls().isEmpty()) {
                endTurn(turn.usage());
                // Steering that arrived during the model's last turn still gets a turn.
                return steering.isEmpty() ? Optional.of(outcome(RunOutcome.End.COMPLETED)) : Optional.empty();
            }
            ToolRunner.Results results = toolRunner.run(turn.toolCalls(), signal);
            conversation.add(results.message());
            endTurn(turn.usage());
            return results.fatal().map(this::failed);
        }

        private void endTurn(Optional<AssistantTurn.Usage> usage) {
            events.post(new SessionEvent.TurnEnded(turns, usage));
        }

        /** Requests the model's turn; returns empty if it was aborted, and keeps the text streamed until then. */
        private Optional<AssistantTurn> ask() {
            ModelRequest request = ModelRequest.builder(conversation.messages())
                    .systemPrompt(systemPrompt)
                    .tools(tools.specifications())
                    .signal(signal)
                    .build();
            Heard heard = new Heard(events, turns);
            AbandonableTask<AssistantTurn> work = AbandonableTask.start(workers, () -> model.respond(request, heard));
            try {
                AssistantTurn turn = work.await(signal, modelPatience);
                if (!signal.isAborted()) {
                    requireGiven(turn, "returned null from respond; an AssistantTurn is expected");
                    return Optional.of(turn);
                }
            } catch (RuntimeException fault) {
                if (!signal.isAborted()) {
                    keep(heard);
                    throw fault;
                }
                LOG.log(Level.DEBUG, "The model's turn was aborted", fault);
            } finally {
                heard.close();
            }
            keep(heard);
            return Optional.empty();
        }

        private void requireGiven(@Nullable Object given, String fault) {
            if (given == null) {
                throw new ModelException(
                        ModelException.Kind.BROKEN_STREAM,
                        "the model " + model.getClass().getName() + " " + fault);
            }
        }

        private void keep(Heard heard) {
            heard.close();
            String text = heard.text();
            if (!text.isEmpty()) {
                lastText = text;
                conversation.add(new Message.Assistant(text, List.of()));
            }
        }
    }

    /** Collects a turn's text as it is streamed, until the turn ends or is abandoned. */
    private static final class Heard implements ModelListener {
        private final EventHub events;
        private final int turn;
        private final StringBuilder text = new StringBuilder();
        private boolean closed;

        Heard(EventHub events, int turn) {
            this.events = events;
            this.turn = turn;
        }

        @Override
        public synchronized void onText(String delta) {
            if (delta == null) {
                throw new ModelException(
                        ModelException.Kind.BROKEN_STREAM,
                        "the model's adapter gave onText null; give it text, or do not call it");
            }
            if (!closed && !delta.isEmpty()) {
                text.append(delta);
                events.post(new SessionEvent.TextReceived(delta));
            }
        }

        @Override
        public synchronized void onThought(String delta) {
            if (!closed && !delta.isEmpty()) {
                events.post(new SessionEvent.ThoughtReceived(delta));
            }
        }

        @Override
        public synchronized void onRetry(Retry retry) {
            if (!closed) {
                text.setLength(0);
                events.post(new SessionEvent.TurnRetried(
                        turn,
                        String.valueOf(retry.why().getMessage()),
                        retry.delay(),
                        retry.attempt(),
                        retry.attempts()));
            }
        }

        synchronized void close() {
            closed = true;
        }

        synchronized String text() {
            return text.toString();
        }
    }
}
