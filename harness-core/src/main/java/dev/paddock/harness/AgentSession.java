package dev.paddock.harness;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.events.Subscription;
import dev.paddock.harness.loop.OpenedToolSource;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.store.SessionDirectory;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/**
 * Runs one conversation between a model and its tools: file tools work in a host directory, and
 * commands run through a {@link CommandExecutor}.
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
 * <p>A session runs one prompt at a time: {@link #prompt} throws while an earlier one is running.
 * All methods are thread-safe; {@link #abort()} and {@link #steer} are meant to be called while
 * another thread is in {@link #prompt}.
 *
 * <p>The session stores each message when it is added, and can be resumed from the stored messages:
 * {@link AgentSessionBuilder#resume}. It owns its executor from {@link AgentSessionBuilder#build()}
 * on, unless that is {@linkplain Ownership#BORROWED borrowed}. {@link #close()} ends everything
 * that the session has started; a shutdown hook does so if the JVM shuts down before that.
 *
 * @since 0.1
 */
public final class AgentSession implements AutoCloseable {
    private static final Logger LOG = LateLogger.of(AgentSession.class);
    private static final Duration SHORT = Duration.ofSeconds(5);

    final SessionParts parts;
    private final Teardown teardown;
    private final Thread shutdownHook;
    private final SessionWork work = new SessionWork();

    AgentSession(SessionParts parts) {
        this.parts = parts;
        this.teardown = new Teardown(steps(), parts.threads().workers());
        this.shutdownHook = new Thread(null, this::closeAtShutdown, "paddock-shutdown", 0, false);
    }

    /**
     * Posts the start event and registers the shutdown hook. The hook comes last: if anything fails before, the
     * assembly cleans up, and the executor stays the caller's.
     */
    void start() {
        SessionEvent.SessionStarted started = parts.startedEvent();
        started.problems().forEach(problem -> LOG.log(Level.WARNING, "Left out of the session: " + problem));
        parts.events().post(started);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    private List<Teardown.Step> steps() {
        List<Teardown.Step> steps = new ArrayList<>();
        steps.add(new Teardown.Step("ending the run", parts.abortPatience().plus(SHORT), this::endWork));
        steps.add(new Teardown.Step(
                "ending the background shells", parts.shellPatience().plus(SHORT), parts::endShells));
        steps.add(new Teardown.Step("disposing of the executor", parts.disposalPatience(), parts.executor()::dispose));
        for (OpenedToolSource source : parts.sources()) {
            steps.add(new Teardown.Step(
                    "closing the tools of '" + source.name() + "'", parts.disposalPatience(), source::close));
        }
        steps.add(new Teardown.Step("closing the files", SHORT, parts::closeFiles));
        steps.add(new Teardown.Step(
                "notifying the listeners", parts.listenerPatience().plus(SHORT), this::notifyOfEnd));
        return steps;
    }

    /** {@return a builder with the defaults} */
    public static AgentSessionBuilder builder() {
        return new AgentSessionBuilder();
    }

    /**
     * Sends a prompt to the model and runs turns until the model is done. Blocks until then. Failures of the model and
     * of tools are reported in the outcome, not thrown.
     *
     * <p>Before it returns, the listeners have received all events of the run, except a listener that is
     * {@linkplain AgentSessionBuilder#listenerPatience too far} behind. Interrupting the thread aborts the run; the
     * interrupt flag stays set.
     *
     * @param text the prompt
     * @return how the run ended
     * @throws IllegalStateException if a run is in progress, or the session is closed
     */
    public RunOutcome prompt(String text) {
        SessionWork.Run run = work.begin(
                signal -> parts.loop().run(text, signal), parts.threads().workers());
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return run.outcome().get();
                } catch (InterruptedException now) {
                    interrupted = true;
                    run.abort().abort("the prompting thread was interrupted");
                } catch (ExecutionException fault) {
                    throw new IllegalStateException("the run failed unexpectedly", fault.getCause());
                }
            }
        } finally {
            awaitListeners(run.abort());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
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
     * Calls a tool on behalf of a model outside of this session. The call is not part of the conversation; any number
     * of calls may run concurrently, also during a run. Blocks until the call has ended; a failure is an error result,
     * not thrown. Interrupting the thread aborts the call; the interrupt flag stays set.
     *
     * @param call the tool's name, its arguments, which are checked against its schema, and an id that no other call
     *     has
     * @param signal aborting it ends the call and kills the process tree of its command; a tool that does not return
     *     within seconds is abandoned
     * @param updates receives the cumulative output from time to time, until this method returns; must not block
     * @return the tool's result
     * @throws IllegalStateException if the session is closed
     */
    public ToolResult call(ToolCall call, AbortSignal signal, Consumer<String> updates) {
        return work.call(both -> parts.toolRunner().run(call, both, updates), signal);
    }

    /**
     * Aborts the current run: cancels the model's request and terminates the process trees of foreground commands.
     * Background shells keep running. Returns at once; {@link #prompt} returns when the run has ended. Until the next
     * run, {@link #prompt} and {@link #close()} wait at most 2 seconds for listeners that are behind; without a current
     * run, that is the only effect.
     */
    public void abort() {
        work.lastRun().abort();
    }

    /**
     * Adds a user message that the model reads before its next turn, in the current run or the next one.
     *
     * @param text the message
     * @throws IllegalStateException if the session is closed
     */
    public void steer(String text) {
        work.whileOpen(() -> parts.loop().steer(text));
    }

    /**
     * Registers a listener, which receives all events from now on.
     *
     * @param listener the listener
     * @return the subscription; closing it removes the listener
     * @throws IllegalStateException if the session is closed
     */
    public Subscription subscribe(SessionListener listener) {
        return work.whileOpen(() -> parts.events().subscribe(listener));
    }

    void requireOpen() {
        work.requireOpen();
    }

    /** {@return the conversation so far, oldest message first; a copy} */
    public List<Message> messages() {
        return parts.conversation().messages();
    }

    /** {@return the tools that the model is offered, in order; each names its execution site} */
    public List<Tool> tools() {
        return parts.tools().all();
    }

    /**
     * {@return the working directory under its host path and its command path} Opens the session's workspace if it is
     * not open.
     */
    public PathMapping worktree() {
        return parts.site().open();
    }

    /**
     * {@return the reference of the session's workspace, which is stored with its messages; empty if the session has no
     * workspace, or has not opened it yet}
     */
    public Optional<String> workspace() {
        return parts.site().workspace().flatMap(WorkspaceSite::reference);
    }

    /**
     * Returns the reference of the workspace of a session that is not open.
     *
     * @param sessionDirectory the session's {@linkplain #directory() directory}
     * @return the reference; empty if the session had no workspace
     * @throws java.io.UncheckedIOException if it cannot be read
     */
    public static Optional<String> workspaceOf(Path sessionDirectory) {
        return new SessionDirectory(sessionDirectory).workspace();
    }

    /**
     * Suspends the session's workspace between two runs, so that its files can be restored: ends the background shells
     * and the sandbox, and keeps the files. The next tool call reopens the workspace. Does nothing if it is not open.
     *
     * @throws IllegalStateException if the session has no workspace, a run or a call is in progress, or the session is
     *     closed
     * @throws RuntimeException if the source reports that commands could not be ended
     */
    public void suspendWorkspace() {
        WorkspaceSite site = parts.site()
                .workspace()
                .orElseThrow(() -> new IllegalStateException("the session's tools do not work in a workspace"));
        work.whileIdle(site::suspend);
    }

    /** {@return the isolation guarantees that the executor enforces for commands} */
    public Set<Guarantee> guarantees() {
        return parts.executor().guarantees();
    }

    /**
     * {@return plain text about the working directory for a system prompt: its path, or both of its paths} The
     * session's own system prompt contains it.
     */
    public String instructions() {
        return parts.site().describe(tools());
    }

    /**
     * {@return the host directory of the session's messages and logs} Pass it to {@link AgentSessionBuilder#resume} to
     * continue the session.
     */
    public Path directory() {
        return parts.directory().path();
    }

    /**
     * Stores a note with the session's messages and replaces the previous one. A program stores here what it needs to
     * continue the session, such as the model's name; {@link StoredSession#note()} returns it.
     *
     * @param text the text, without credentials: it is stored as it is, readable by its owner; less than 1 MiB in UTF-8
     * @throws IllegalArgumentException if it is longer
     * @throws java.io.UncheckedIOException if it cannot be written
     */
    public void keepNote(String text) {
        parts.directory().keepNote(text);
    }

    /**
     * Ends the session in this order: aborts the current run and the direct calls, and waits for them; terminates the
     * background shells; disposes of the executor, which ends every command; closes the tool sources; closes the files;
     * delivers the remaining events to the listeners. Each step has a deadline, and runs even if earlier steps failed.
     * With a kill grace of a few seconds all steps together take well under a minute, whatever tools, executor and
     * listeners do; only a longer {@linkplain AgentSessionBuilder#listenerPatience listener patience} extends that.
     *
     * <p>Idempotent, also when called concurrently: all calls return when the session has ended. Afterwards
     * {@link #prompt}, {@link #call}, {@link #steer} and {@link #subscribe} throw.
     *
     * @throws SessionCloseException from the first call only, if a step failed or missed its deadline; further failures
     *     are suppressed. The session has ended nevertheless
     */
    @Override
    public void close() {
        work.close();
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
            // A shutdown hook has no caller to throw to.
            LOG.log(Level.WARNING, "Closing the session at the JVM's shutdown failed", fault);
        }
    }

    private void endWork() {
        work.end("the session is being closed");
    }

    private void notifyOfEnd() {
        parts.audits().close();
        parts.events().post(new SessionEvent.SessionEnded());
        awaitListeners(work.lastRun());
        parts.events().close();
    }

    private void removeShutdownHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException shuttingDown) {
            return; // either this hook is closing the session, or it will find the session closed
        }
    }
}
