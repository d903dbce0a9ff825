package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.error.AcpErrorCodes;
import com.agentclientprotocol.sdk.json.AcpJsonMapper;
import com.agentclientprotocol.sdk.json.JacksonAcpJsonMapper;
import com.agentclientprotocol.sdk.json.TypeRef;
import com.agentclientprotocol.sdk.spec.AcpAgentTransport;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.JSONRPCMessage;
import com.agentclientprotocol.sdk.spec.AcpSchema.JSONRPCRequest;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.mcp.wire.MessageReader;
import dev.paddock.harness.mcp.wire.Outbox;
import dev.paddock.harness.mcp.wire.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads and writes the messages of one editor over a pair of streams.
 *
 * <p>Replaces the library's own transport, which ends at the first line that is not a message,
 * buffers without bound what the editor does not read, and loses an answer that is sent at the same
 * time as another message.
 */
final class EditorConnection implements AcpAgentTransport {
    /**
     * The method name under which prompts are passed to the library. Under the protocol's own name,
     * the library would run one prompt at a time for all sessions.
     */
    static final String PROMPT = "paddock/session/prompt";

    private static final Logger LOG = LateLogger.of(EditorConnection.class);
    /**
     * Given explicitly, so that the library does not search for a mapper. A newer editor may send
     * further fields.
     */
    private static final AcpJsonMapper JSON = new JacksonAcpJsonMapper(JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build());

    private final CompletableFuture<Void> over;
    private final Outbox outbox;
    private volatile Optional<Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = Optional.empty();

    /**
     * Creates a connection.
     *
     * @param over completed by any side that detects or requests the end of the connection
     */
    EditorConnection(OutputStream output, CompletableFuture<Void> over) {
        this.over = over;
        this.outbox = new Outbox("acp-writer", output, () -> over.complete(null));
    }

    /** Processes the editor's messages until the connection is over. */
    void run(InputStream input) {
        Thread reader = Threads.daemon("acp-reader", () -> read(input));
        outbox.readBy(reader);
        reader.start();
        over.join();
    }

    private void read(InputStream input) {
        try {
            MessageReader reader = new MessageReader(input);
            Optional<MessageReader.Line> line = reader.next();
            while (line.isPresent() && !over.isDone()) {
                take(line.get());
                line = reader.next();
            }
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "The editor cannot be read from any more", fault);
        } finally {
            over.complete(null);
        }
    }

    private void take(MessageReader.Line line) {
        if (!(line instanceof MessageReader.Text(String text))) {
            refuse(
                    AcpErrorCodes.INVALID_REQUEST,
                    "a message is longer than " + MessageReader.MAX_BYTES + " bytes and was skipped");
        } else if (!text.isBlank()) {
            take(text);
        }
    }

    private void take(String text) {
        try {
            JSONRPCMessage message = AcpSchema.deserializeJsonRpcMessage(JSON, text);
            if (message instanceof JSONRPCRequest request) {
                take(request);
            } else {
                handle(message);
            }
        } catch (IOException noJson) {
            refuse(AcpErrorCodes.PARSE_ERROR, "a line is not a JSON object and was skipped");
        } catch (RuntimeException noMessage) { // of any class: the library checks little, and reading must go on
            LOG.log(Level.DEBUG, "A line of the editor is not a message", noMessage);
            refuse(AcpErrorCodes.INVALID_REQUEST, "a line is not a JSON-RPC 2.0 message and was skipped");
        }
    }

    private void take(JSONRPCRequest request) {
        Optional<String> method = Optional.ofNullable(request.method());
        if (method.isEmpty()) {
            refuse(request.id(), AcpErrorCodes.INVALID_REQUEST, "'method' is missing: name the method of the request");
            return;
        }
        handle(
                AcpSchema.METHOD_SESSION_PROMPT.equals(method.get())
                        ? new JSONRPCRequest(request.jsonrpc(), request.id(), PROMPT, request.params())
                        : request);
    }

    private void handle(JSONRPCMessage message) {
        handler.orElseThrow()
                .apply(Mono.just(message))
                .subscribe(
                        outbox::put,
                        fault -> LOG.log(Level.WARNING, "A message of the editor could not be handled", fault));
    }

    /** Sends an error without an id, of which the library has none. */
    private void refuse(int code, String why) {
        refuse(null, code, why);
    }

    private void refuse(@Nullable Object id, int code, String why) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", AcpSchema.JSONRPC_VERSION);
        message.put("id", id);
        message.put("error", Map.of("code", code, "message", why));
        outbox.put(message);
    }

    @Override
    public Mono<Void> start(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> value) {
        handler = Optional.of(value);
        return Mono.empty();
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> {
            if (over.isDone()) {
                throw new IllegalStateException("the editor has gone");
            }
            outbox.put(message);
        });
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return JSON.convertValue(data, type);
    }

    static <T> T convert(Object data, Class<T> type) {
        return JSON.convertValue(data, type);
    }

    @Override
    public Mono<Void> awaitTermination() {
        return Mono.fromFuture(over);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::close);
    }

    /** Ends {@link #run}. Requests that were received before can still be answered. */
    @Override
    public void close() {
        over.complete(null);
    }

    /** Waits briefly until the answers are written; then drops what comes. */
    void end() {
        close();
        outbox.close();
    }
}
