package dev.paddock.harness.mcp.server;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.mcp.wire.Outbox;
import dev.paddock.harness.mcp.wire.ProgressStream;
import io.modelcontextprotocol.common.McpTransportContext;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call in progress. The SDK does not support cancellation, and does not pass the request's id to
 * a tool; so the connection passes this object along with the request.
 */
final class ServedCall {
    private static final String KEY = "dev.paddock.call";

    private final AbortController abort = new AbortController();
    private final Outbox outbox;
    private volatile Optional<ProgressStream> progress = Optional.empty();
    private volatile boolean cancelled;

    ServedCall(Outbox outbox) {
        this.outbox = outbox;
    }

    static ServedCall of(McpTransportContext context) {
        return (ServedCall) context.get(KEY);
    }

    McpTransportContext context() {
        return McpTransportContext.create(Map.of(KEY, this));
    }

    AbortSignal signal() {
        return abort.signal();
    }

    /** Returns the consumer of the call's output while it runs. */
    Consumer<String> updates(@Nullable Object progressToken) {
        if (progressToken == null) {
            return text -> {};
        }
        ProgressStream stream = new ProgressStream(progressToken);
        progress = Optional.of(stream);
        return text -> {
            stream.show(text);
            outbox.offer(stream);
        };
    }

    /** Marks the call as canceled: the client expects no answer. */
    void cancel() {
        cancelled = true;
        end();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /**
     * Aborts the call; runs the abort handlers that terminate its command, which may take a moment.
     */
    void abort(String reason) {
        abort.abort(reason);
    }

    /** Ends the call's progress notifications. */
    void end() {
        progress.ifPresent(ProgressStream::end);
    }
}
