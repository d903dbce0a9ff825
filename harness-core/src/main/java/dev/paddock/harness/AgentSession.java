package dev.paddock.harness;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.events.Subscription;
import dev.paddock.harness.loop.OpenedToolSource;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.shell.BackgroundShells;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A model at work in a directory: its file tools work there on the host, its commands go to a {@link CommandExecutor}.
 *
 * <pre>{@code
 * try (AgentSession session = AgentSession.builder()
 *         .model(model)
 *         .cwd(worktree)
 *         .executor(executor)
 *         .execCwd("/work")
 *         .build()) {
 *     session.prompt("Make the failing test pass.");
 * }
 * }</pre>
 *
 * <p>A session has one conversation and does one thing at a time: {@link #prompt} while it is at work is refused. All methods may
 * be called from any thread, {@link #abort()} and {@link #steer} above all while another one prompts.
 *
 * <p>Its messages are stored as they come, and a session can be resumed from them: {@link AgentSessionBuilder#resume}. It owns its
 * executor from {@link AgentSessionBuilder#build()} on. {@link #close()} ends everything that it has started; if the program ends
 * without that, a shutdown hook does it.
 */
public final class AgentSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final SessionParts parts;
    private final Teardown teardown;
    private final Thread shutdownHook;
    private final Object lock = new Object();
    private final Set<CurrentCall> calls = new HashSet<>();
    private final AbortController closing = new AbortController();
    /** That of the run under way or, without one, of the run before: whoever ended it does not wait for listeners either. */
    private AbortController lastRun = new AbortController();

    private @Nullable CurrentRun current;
    private boolean closed;

    AgentSession(SessionParts parts) {
        this.parts = parts;
        this.teardown = new Teardown(steps(), parts.threads().workers());
        this.shutdownHook = new Thread(null, this::closeAtShutdown, "paddock-shutdown", 0, false);
    }

    /**
     * Tells the listeners that the session has started. The shutdown hook comes last: until then a failure leaves everything to
     * the assembly, and the executor to the caller.
     */
    void start() {
        SessionEvent.SessionStarted started = parts.startedEvent();
        started.problems().forEach(problem -> LOG.warn("Left out of the session: {}", problem));
        parts.events().post(started);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    private List<Teardown.Step> steps() {
        List<Teardown.Step> steps = new ArrayList<>();
        steps.add(new Teardown.Step("ending the run", parts.abortPatience().plus(SHORT), this::endRun));
        steps.add(new Teardown.Step(
                "ending the background shells", BackgroundShells.patience().plus(SHORT), parts::endShells));
        steps.add(new Teardown.Step("disposing of the executor", parts.disposalPatience(), parts.executor()::dispose));
        for (OpenedToolSource source : parts.sources()) {
            steps.add(new Teardown.Step(
                    "closing the tools of '" + source.name() + "'", parts.disposalPatience(), source::close));
        }
        steps.add(new Teardown.Step("closing the files", SHORT, parts::closeFiles));
        steps.add(new Teardown.Step(
                "telling the listeners", parts.listenerPatience().plus(SHORT), this::tellTheEnd));
        return steps;
    }

    /**
     * A builder with the defaults.
     *
     * @return the builder
     */
    public static AgentSessionBuilder builder() {
        return new AgentSessionBuilder();
    }

    /** A call under way that belongs to no run. Not the future itself: futures have no equality to be found by. */
    private static final class CurrentCall {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
    }

    /** A run under way. */
    private record CurrentRun(AbortController abort, CompletableFuture<RunOutcome> outcome) {}

    /**
     * Says something to the model and lets it work until it is done. Blocks until then. What the model and its tools do wrong is
     * in the outcome, not thrown.
     *
     * <p>Before it returns, the listeners have been given all events of the run, except one that is {@linkplain
     * AgentSessionBuilder#listenerPatience too far} behind.
     * Interrupting the thread aborts the run; the interrupt stays set.
     *
     * @param text what to do
     * @return how the run ended
     * @throws IllegalStateException if the session is at work already, or closed
     */
    public RunOutcome prompt(String text) {
        CurrentRun run = begin(text);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return run.outcome().get();
                } catch (InterruptedException now) {
                    interrupted = true;
                    run.abort().abort("the prompting thread was interrupted");
                } catch (ExecutionException fault) {
                    throw new IllegalStateException("the run broke down", fault.getCause());
                }
            }
        } finally {
            awaitListeners(run.abort());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private CurrentRun begin(String text) {
        synchronized (lock) {
            requireOpen();
            if (current != null) {
                throw new IllegalStateException(
                        "the session is at work on an earlier prompt; wait for it, abort it, or steer");
            }
            CurrentRun run = new CurrentRun(new AbortController(), new CompletableFuture<>());
            current = run;
            lastRun = run.abort();
            parts.threads().workers().execute(() -> work(text, run));
            return run;
        }
    }

    private void work(String text, CurrentRun run) {
        Optional<RunOutcome> outcome = Optional.empty();
        try {
            outcome = Optional.of(parts.loop().run(text, run.abort().signal()));
        } finally {
            synchronized (lock) {
                current = null;
            }
            outcome.ifPresentOrElse(
                    run.outcome()::complete,
                    () -> run.outcome().completeExceptionally(new IllegalStateException("see the log")));
        }
    }

    private void awaitListeners(AbortController run) {
        try {
            parts.events().flush(parts.listenerPatience(), run.signal());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Calls one of the tools, for a model that is elsewhere: the call is no part of the conversation, and any number of calls may
     * be under way at once, beside a run as well. Blocks until it is done; what goes wrong is an error result, not thrown.
     * Interrupting the thread aborts the call; the interrupt stays set.
     *
     * @param call the tool's name, its arguments, which are checked against its schema, and an id that no other call has
     * @param signal aborting it ends the call, with the tree of its command; a tool that does not return within seconds is left
     *     to itself
     * @param updates is given the cumulative text now and then, until this method returns; must not block
     * @return what the tool says
     * @throws IllegalStateException if the session is closed
     */
    public ToolResult call(ToolCall call, AbortSignal signal, Consumer<String> updates) {
        CurrentCall one = new CurrentCall();
        synchronized (lock) {
            requireOpen();
            calls.add(one);
        }
        try {
            return parts.toolRunner().run(call, AbortSignal.any(signal, closing.signal()), updates);
        } finally {
            synchronized (lock) {
                calls.remove(one);
            }
            one.ended.complete(null);
        }
    }

    /**
     * Ends the run under way: the model is told to stop, running commands are ended with their trees. Returns at once; {@link
     * #prompt} returns when it is done. From then on {@link #prompt} and {@link #close()} wait for listeners that are behind for 2
     * seconds at most, until there is another run; that is all it does if there is no run. Background shells go on.
     */
    public void abort() {
        lastRun().abort();
    }

    private AbortController lastRun() {
        synchronized (lock) {
            return lastRun;
        }
    }

    private Optional<CurrentRun> currentRun() {
        synchronized (lock) {
            return Optional.ofNullable(current);
        }
    }

    /**
     * Says something in between: the model reads it before its next turn, of this run or, if there is none, of the next.
     *
     * @param text what to say
     * @throws IllegalStateException if the session is closed
     */
    public void steer(String text) {
        synchronized (lock) {
            requireOpen();
            parts.loop().steer(text);
        }
    }

    /**
     * Tells a listener what happens from now on.
     *
     * @param listener the listener
     * @return ends it
     * @throws IllegalStateException if the session is closed
     */
    public Subscription subscribe(SessionListener listener) {
        synchronized (lock) {
            requireOpen();
            return parts.events().subscribe(listener);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the session is closed");
        }
    }

    /**
     * The conversation so far.
     *
     * @return the messages, oldest first; a copy
     */
    public List<Message> messages() {
        return parts.conversation().messages();
    }

    /**
     * The tools that the model is offered, each of which says where its effect lands.
     *
     * @return the tools, in order
     */
    public List<Tool> tools() {
        return parts.tools().all();
    }

    /**
     * Where the session works.
     *
     * @return the directory under both its names
     */
    public PathMapping worktree() {
        return parts.worktree();
    }

    /**
     * What the place where commands run enforces.
     *
     * @return the executor's guarantees
     */
    public Set<Guarantee> guarantees() {
        return parts.executor().guarantees();
    }

    /**
     * What a model has to know to use the tools, beside their own descriptions: which directory they work in, and under which
     * names. The session's own model is told it with the rest of its system prompt.
     *
     * @return plain text
     */
    public String instructions() {
        return SystemPrompt.place(parts.worktree(), tools());
    }

    /**
     * Where the session's messages and logs are. Given to {@link AgentSessionBuilder#resume}, it continues the session.
     *
     * @return the directory, on the host
     */
    public Path directory() {
        return parts.directory().path();
    }

    /**
     * Ends the session: aborts the run and the calls under way, and waits for them; ends the background shells; disposes of the executor, which ends every command; closes its sources
     * of tools; closes its files; tells the listeners. Each step has a deadline, and is taken whatever became of those before. All together takes well under
     * a minute with a kill grace of seconds, however others behave; more only for listeners that are behind, if their {@linkplain
     * AgentSessionBuilder#listenerPatience patience} is longer.
     *
     * <p>Idempotent, also when called concurrently: all calls return when the session has ended. Afterwards {@link #prompt},
     * {@link #call}, {@link #steer} and {@link #subscribe} are refused.
     *
     * @throws RuntimeException what went wrong first, with the rest suppressed, from the first call alone; the session has ended
     *     all the same
     */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        try {
            teardown.run();
        } finally {
            parts.threads().close();
            removeShutdownHook();
        }
    }

    private void closeAtShutdown() {
        try {
            abort();
            close();
        } catch (RuntimeException fault) {
            // Nobody is left to whom it could be thrown.
            LOG.warn("The session was closed at the program's end, with a fault", fault);
        }
    }

    private void endRun() {
        String reason = "the session is being closed";
        Optional<CurrentRun> run = currentRun();
        run.ifPresent(one -> one.abort().abort(reason));
        closing.abort(reason);
        run.ifPresent(one -> one.outcome().exceptionally(failed -> null).join());
        List<CurrentCall> last;
        synchronized (lock) {
            last = List.copyOf(calls);
        }
        last.forEach(call -> call.ended.join());
    }

    private void tellTheEnd() {
        parts.audits().close();
        parts.events().post(new SessionEvent.SessionEnded());
        awaitListeners(lastRun());
        parts.events().close();
    }

    private void removeShutdownHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            // It is the hook that is closing the session, or it finds the session closed.
            return;
        }
    }
}
