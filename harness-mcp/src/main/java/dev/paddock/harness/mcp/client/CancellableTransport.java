package dev.paddock.harness.mcp.client;

import dev.paddock.executor.log.LateLogger;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * A transport whose requests can be canceled, which the SDK does not support: it records a
 * request's id in its sender's ticket, notifies the server, and answers the request in its place.
 * Of the server's notifications it passes on only progress: for each of the others the SDK would
 * log a message, or repeat a request that has been answered.
 */
final class CancellableTransport implements McpClientTransport {
    private static final Logger LOG = LateLogger.of(CancellableTransport.class);
    private static final String KEY = "dev.paddock.request";
    private static final int CANCELLED = -32800;

    private final McpClientTransport transport;
    private final Set<Object> pending = ConcurrentHashMap.newKeySet();
    private volatile Optional<Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = Optional.empty();

    CancellableTransport(McpClientTransport transport) {
        this.transport = transport;
    }

    /** A request's handle for its sender, who may cancel it. */
    static final class Ticket {
        private volatile Optional<Object> id = Optional.empty();

        /** Attaches the ticket to the context of the request. */
        Context with(Context context) {
            return context.put(KEY, this);
        }
    }

    @Override
    public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> receiver) {
        handler = Optional.of(receiver);
        return transport.connect(message -> receiver.apply(message.filter(this::isWanted)));
    }

    private boolean isWanted(JSONRPCMessage message) {
        if (message instanceof JSONRPCResponse response) {
            return pending.remove(response.id());
        }
        return !(message instanceof JSONRPCNotification notification)
                || notification.method().equals(McpSchema.METHOD_NOTIFICATION_PROGRESS);
    }

    @Override
    public Mono<Void> sendMessage(JSONRPCMessage message) {
        if (!(message instanceof JSONRPCRequest request)) {
            return transport.sendMessage(message);
        }
        return Mono.deferContextual(context -> {
            pending.add(request.id());
            context.<Ticket>getOrEmpty(KEY).ifPresent(ticket -> ticket.id = Optional.of(request.id()));
            return transport.sendMessage(message).doOnError(fault -> pending.remove(request.id()));
        });
    }

    /**
     * Notifies the server that a request is canceled, and answers it with an error. Does not
     * block.
     */
    void cancel(Ticket ticket, String reason) {
        ticket.id.filter(pending::remove).ifPresent(id -> {
            Map<String, Object> params = Map.of("requestId", id, "reason", reason);
            quietly(transport.sendMessage(new JSONRPCNotification("notifications/cancelled", params)));
            JSONRPCResponse answer =
                    JSONRPCResponse.error(id, new JSONRPCResponse.JSONRPCError(CANCELLED, "the request was cancelled"));
            handler.ifPresent(receiver -> quietly(receiver.apply(Mono.just(answer))));
        });
    }

    private static void quietly(Mono<?> action) {
        Consumer<Throwable> note = fault -> LOG.log(Level.DEBUG, "A cancellation could not be passed on", fault);
        action.subscribe(ignored -> {}, note);
    }

    @Override
    public void setExceptionHandler(Consumer<Throwable> consumer) {
        transport.setExceptionHandler(consumer);
    }

    @Override
    public Mono<Void> closeGracefully() {
        return transport.closeGracefully();
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return transport.unmarshalFrom(data, type);
    }

    @Override
    public List<String> protocolVersions() {
        return transport.protocolVersions();
    }
}
