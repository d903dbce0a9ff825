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
 * A call under way. The SDK knows nothing of cancelling, and does not tell a tool which request it answers: so the connection
 * passes this along with the request.
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

    /** Where the call's output goes while it runs. */
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

    /** The client wants no answer any more. */
    void cancel() {
        cancelled = true;
        end();
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** Aborts it; runs what ends its command, which may take a moment. */
    void abort(String reason) {
        abort.abort(reason);
    }

    /** From now on nothing more is told of it. */
    void end() {
        progress.ifPresent(ProgressStream::end);
    }
}
