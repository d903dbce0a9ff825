package dev.paddock.harness;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.Guarantee;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.events.Subscription;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Tool;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.Excerpt;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Offers a session's tools to a loop and a model that are not the session's.
 *
 * <pre>{@code
 * try (Toolbox toolbox = Toolbox.builder().cwd(worktree).executor(executor).build()) {
 *     ToolResult result = toolbox.call("bash", "{\"command\": \"ls\"}", AbortSignal.never());
 * }
 * }</pre>
 *
 * <p>All methods are thread-safe, and any number of calls may run at once. The calls are made with
 * {@link AgentSession#call}: the same checks, approvals, events and audits apply as to a session's
 * own model. A toolbox owns its executor from {@link ToolboxBuilder#build()} on, unless that is
 * {@linkplain Ownership#BORROWED borrowed}.
 *
 * @since 0.1
 */
public final class Toolbox implements AutoCloseable {
    private static final int MAX_SHOWN = 80;
    /** Numbers the calls of all toolboxes: several may share one session. */
    private static final AtomicLong CALLS = new AtomicLong();

    private final AgentSession session;

    private Toolbox(AgentSession session) {
        this.session = session;
    }

    /** {@return a builder with the defaults} */
    public static ToolboxBuilder builder() {
        return new ToolboxBuilder();
    }

    /**
     * Returns the tools of a session as a toolbox.
     *
     * @param session the session, which may be prompted as well; closing the toolbox closes it
     */
    public static Toolbox of(AgentSession session) {
        return new Toolbox(session);
    }

    /** {@return the tools, in order; each names its execution site} */
    public List<Tool> tools() {
        return session.tools();
    }

    /**
     * Calls a tool, as {@link #call(String, String, AbortSignal, Consumer)} does, without updates.
     *
     * @param name the tool's name
     * @param argumentsJson the arguments, a JSON object; blank text means no arguments
     * @param signal aborting it ends the call and kills the process tree of its command
     * @return the tool's result
     */
    public ToolResult call(String name, String argumentsJson, AbortSignal signal) {
        return call(name, argumentsJson, signal, text -> {});
    }

    /**
     * Calls a tool. Blocks until the call has ended; interrupting the thread aborts the call, and the interrupt flag
     * stays set. A failure is an error result with the reason: an unknown tool, arguments that are no JSON object or do
     * not fit the tool's schema, an abort, a toolbox that is closed during the call.
     *
     * @param name the tool's name
     * @param argumentsJson the arguments, a JSON object; blank text means no arguments
     * @param signal aborting it ends the call and kills the process tree of its command
     * @param updates receives the cumulative output from time to time, until this method returns; must not block
     * @return the tool's result
     * @throws IllegalStateException if the toolbox is closed
     */
    public ToolResult call(String name, String argumentsJson, AbortSignal signal, Consumer<String> updates) {
        String id = "toolbox-" + CALLS.incrementAndGet();
        ToolCall call;
        try {
            call = new ToolCall(id, name, argumentsJson.isBlank() ? Json.object() : Json.parse(argumentsJson));
        } catch (IllegalArgumentException fault) {
            session.requireOpen();
            return ToolResult.error("The arguments of " + name + " are not a JSON object: "
                    + Excerpt.cut(argumentsJson, MAX_SHOWN) + " (" + fault.getMessage()
                    + "). Nothing was done; call it again with corrected arguments.");
        }
        return session.call(call, signal, updates);
    }

    /** {@return the approver that decides about each call; empty if every call is carried out} */
    public Optional<Approver> approver() {
        return session.parts.approver();
    }

    /** {@return the isolation guarantees that the executor enforces for commands} */
    public Set<Guarantee> guarantees() {
        return session.guarantees();
    }

    /**
     * Registers a listener, as {@link AgentSession#subscribe} does.
     *
     * @param listener receives all events from now on
     * @return the subscription; closing it removes the listener
     * @throws IllegalStateException if the toolbox is closed
     */
    public Subscription subscribe(SessionListener listener) {
        return session.subscribe(listener);
    }

    /**
     * {@return the logs written so far, as host files, by name: the output of background shells, and of commands whose
     * results show only the end}
     */
    public List<Path> logs() {
        return session.parts.directory().logFiles();
    }

    /**
     * {@return plain text about the working directory for the model's system prompt: its path, or both of its paths}
     */
    public String instructions() {
        return session.instructions();
    }

    /**
     * Aborts the calls, waits for them, and ends everything that the tools have started, as
     * {@link AgentSession#close()} does. Idempotent. Afterwards {@link #call} throws.
     *
     * @throws SessionCloseException from the first call only, if a step failed or missed its deadline; everything is
     *     closed nevertheless
     */
    @Override
    public void close() {
        session.close();
    }
}
