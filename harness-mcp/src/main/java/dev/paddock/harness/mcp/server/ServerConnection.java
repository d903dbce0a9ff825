package dev.paddock.harness.mcp.server;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.mcp.wire.MessageReader;
import dev.paddock.harness.mcp.wire.Outbox;
import dev.paddock.harness.mcp.wire.Threads;
import dev.paddock.harness.mcp.wire.WireJson;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Reads and writes the messages of one client over a pair of streams.
 *
 * <p>Replaces the SDK's own transport, which gives up at the first line that is not a message, does
 * not pass cancellations on, buffers without bound what the client does not read, and stops
 * reading, cancellations included, while many calls are in progress.
 */
public final class ServerConnection implements McpServerTransportProvider, McpServerTransport, AutoCloseable {
    private static final Logger LOG = LateLogger.of(ServerConnection.class);
    private static final String CANCELLED = "notifications/cancelled";
    private static final String WITHDRAWN = "the call that the question is about has ended";
    private static final int MAX_CALLS = 64;

    private final ExecutorService workers = Threads.workers("mcp-call");
    private final Map<Object, ServedCall> calls = new ConcurrentHashMap<>();

    /** The server's own requests that the client has not answered: the parameters of each by its id. */
    private final Map<Object, Object> questions = new ConcurrentHashMap<>();

    private final Set<String> tools;
    private final CompletableFuture<Void> over;
    private final Outbox outbox;
    private volatile Optional<McpServerSession> session = Optional.empty();
    private volatile boolean initialized;
    private volatile McpSchema.LoggingLevel leastLevel = McpSchema.LoggingLevel.INFO;

    /**
     * Creates a connection.
     *
     * @param tools the names of the tools that may be called
     * @param over completed by any side that detects or requests the end of the connection
     */
    public ServerConnection(Set<String> tools, OutputStream output, CompletableFuture<Void> over) {
        this.tools = tools;
        this.over = over;
        this.outbox = new Outbox("mcp-writer", output, () -> over.complete(null));
    }

    public ExecutorService workers() {
        return workers;
    }

    @Override
    public void setSessionFactory(McpServerSession.Factory factory) {
        session = Optional.of(factory.create(this));
    }

    /** Processes the client's messages until the connection is over. */
    public void run(InputStream input) {
        Thread reader = Threads.daemon("mcp-reader", () -> read(input));
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
            LOG.log(Level.DEBUG, "The client cannot be read from any more", fault);
        } finally {
            over.complete(null);
        }
    }

    private void take(MessageReader.Line line) {
        // Not a switch over types: linking it would delay every client's start.
        if (!(line instanceof MessageReader.Text(String text))) {
            refuse(
                    null,
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    "a message is longer than " + MessageReader.MAX_BYTES + " bytes and was skipped");
        } else if (!text.isBlank()) {
            take(text);
        }
    }

    private void take(String text) {
        JSONRPCMessage message;
        try {
            message = McpSchema.deserializeJsonRpcMessage(WireJson.MAPPER, text);
        } catch (IOException noJson) {
            refuse(null, McpSchema.ErrorCodes.PARSE_ERROR, "a line is not a JSON object and was skipped");
            return;
        } catch (RuntimeException noMessage) {
            refuse(null, McpSchema.ErrorCodes.INVALID_REQUEST, "a line is not a JSON-RPC 2.0 message: " + noMessage);
            return;
        }
        if (message instanceof JSONRPCRequest request) {
            take(request);
        } else if (message instanceof JSONRPCNotification notification) {
            take(notification);
        } else if (message instanceof JSONRPCResponse response && questions.remove(response.id()) != null) {
            handle(response, context -> context);
        }
        // Other responses answer nothing, and are ignored.
    }

    private void take(JSONRPCRequest request) {
        String method = request.method();
        if (!initialized && !method.equals(McpSchema.METHOD_INITIALIZE)) {
            // The SDK would block the request until the initialization, possibly forever.
            if (method.equals(McpSchema.METHOD_PING)) {
                outbox.put(JSONRPCResponse.result(request.id(), Map.of()));
            } else {
                refuse(request.id(), McpSchema.ErrorCodes.INVALID_REQUEST, "not initialized yet: " + method);
            }
        } else if (method.equals(McpSchema.METHOD_TOOLS_CALL)) {
            call(request);
        } else if (method.equals(McpSchema.METHOD_LOGGING_SET_LEVEL)) {
            setLevel(request);
        } else {
            handle(request, context -> context);
        }
    }

    /** Answers by hand: the SDK keeps the level for messages within a request alone. */
    private void setLevel(JSONRPCRequest request) {
        Object wanted = request.params() instanceof Map<?, ?> params ? params.get("level") : null;
        Optional<McpSchema.LoggingLevel> level = Arrays.stream(McpSchema.LoggingLevel.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(wanted))
                .findFirst();
        if (level.isPresent()) {
            leastLevel = level.get();
            outbox.put(JSONRPCResponse.result(request.id(), Map.of()));
        } else {
            refuse(request.id(), McpSchema.ErrorCodes.INVALID_PARAMS, "there is no level '" + wanted + "'");
        }
    }

    /**
     * Sends a log message, unless the client wants none of its level, or has not read many earlier messages. Never waits
     * for the client.
     */
    void log(McpSchema.LoggingLevel level, String text) {
        if (initialized && level.level() >= leastLevel.level()) {
            boolean unused = outbox.tryPut(new JSONRPCNotification(
                    McpSchema.METHOD_NOTIFICATION_MESSAGE,
                    McpSchema.LoggingMessageNotification.builder(level, text)
                            .logger("paddock")
                            .build()));
        }
    }

    private void call(JSONRPCRequest request) {
        ServedCall call = new ServedCall(outbox);
        Object name = request.params() instanceof Map<?, ?> params ? params.get("name") : null;
        if (!(name instanceof String) || !tools.contains(name)) {
            // The SDK's own error names another tool.
            refuse(
                    request.id(),
                    McpSchema.ErrorCodes.INVALID_PARAMS,
                    "there is no tool named '" + name + "'; the tools are: " + String.join(", ", tools));
        } else if (calls.size() >= MAX_CALLS) {
            refuse(
                    request.id(),
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    MAX_CALLS + " calls are in progress, the maximum; wait for one of them, or cancel it");
        } else if (calls.putIfAbsent(request.id(), call) != null) {
            refuse(
                    null,
                    McpSchema.ErrorCodes.INVALID_REQUEST,
                    "a call with the id " + request.id() + " is already in progress");
        } else {
            handle(request, context -> context.put(McpTransportContext.KEY, call.context()));
        }
    }

    private void take(JSONRPCNotification notification) {
        if (notification.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)) {
            handle(notification, context -> context);
            initialized = true;
        } else if (notification.method().equals(CANCELLED) && notification.params() instanceof Map<?, ?> params) {
            Optional.ofNullable(params.get("requestId"))
                    .map(calls::get)
                    .ifPresent(call -> abort(call, "cancelled by the client"));
        }
        // Other notifications, such as changed roots, are dropped: the SDK would send requests that
        // nothing here needs.
    }

    /**
     * Aborts on a thread of its own: terminating a command may take a moment, while other messages
     * must be read and other calls aborted.
     */
    private static void abort(ServedCall call, String reason) {
        call.cancel();
        Threads.daemon("mcp-abort", () -> call.abort(reason)).start();
    }

    private void handle(JSONRPCMessage message, UnaryOperator<Context> context) {
        session.orElseThrow()
                .handle(message)
                .contextWrite(context)
                .subscribe(
                        ignored -> {},
                        fault -> LOG.log(Level.WARNING, "A message of the client could not be handled", fault));
    }

    /**
     * Sends a protocol error; built by hand, because the SDK cannot represent one without an id.
     */
    private void refuse(@Nullable Object id, int code, String why) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", McpSchema.JSONRPC_VERSION);
        message.put("id", id);
        message.put("error", Map.of("code", code, "message", why));
        outbox.put(message);
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.fromRunnable(() -> send(message));
    }

    /**
     * Withdraws a question that the client has not answered, and notifies the client; does nothing
     * if it has. The thread that waits for the answer receives an error.
     *
     * @param parameters those of the request that asks the question, the same object
     */
    @SuppressWarnings("ReferenceEquality") // an equal question may be another call's
    public void withdraw(Object parameters) {
        questions.forEach((id, asked) -> {
            if (asked == parameters && questions.remove(id, asked)) {
                outbox.put(new JSONRPCNotification(CANCELLED, Map.of("requestId", id, "reason", WITHDRAWN)));
                fail(id);
            }
        });
    }

    /** Answers one of the server's own requests, which the SDK would otherwise keep forever. */
    private void fail(Object id) {
        handle(
                JSONRPCResponse.error(
                        id, new JSONRPCResponse.JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, WITHDRAWN)),
                context -> context);
    }

    private void send(JSONRPCMessage message) {
        if (message instanceof JSONRPCResponse response) {
            Optional<ServedCall> call = Optional.ofNullable(calls.remove(response.id()));
            call.ifPresent(ServedCall::end);
            if (call.filter(ServedCall::isCancelled).isPresent()) {
                return;
            }
        } else if (message instanceof JSONRPCRequest question) {
            questions.put(question.id(), question.params() == null ? question : question.params());
            if (over.isDone()) {
                throw new IllegalStateException("the client has gone");
            }
        }
        outbox.put(message);
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return WireJson.MAPPER.convertValue(data, type);
    }

    @Override
    public Mono<Void> notifyClients(String method, Object params) {
        return sendMessage(new JSONRPCNotification(method, params));
    }

    @Override
    public Mono<Void> closeGracefully() {
        return Mono.fromRunnable(() -> over.complete(null));
    }

    @Override
    public List<String> protocolVersions() {
        return McpServerTransportProvider.super.protocolVersions();
    }

    /** Aborts the calls in progress, and accepts no more. */
    @Override
    public void close() {
        over.complete(null);
        calls.values().forEach(call -> abort(call, "the client has gone"));
        questions.values().forEach(this::withdraw);
        outbox.close();
        workers.shutdown();
    }
}
