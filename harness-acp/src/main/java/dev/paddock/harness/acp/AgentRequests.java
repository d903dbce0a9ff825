package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.error.AcpErrorCodes;
import com.agentclientprotocol.sdk.spec.AcpAgentSession;
import com.agentclientprotocol.sdk.spec.AcpAgentSession.NotificationHandler;
import com.agentclientprotocol.sdk.spec.AcpAgentSession.RequestHandler;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.mcp.wire.Threads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Answers the requests of one editor. A request that is not among them gets the protocol's "method not found". */
final class AgentRequests {
    private static final Logger LOG = LateLogger.of(AgentRequests.class);
    private static final int MAX_AT_ONCE = 64;

    /** How long the end waits for answers that are being sent. */
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final EditorSessions sessions;
    private final AcpSchema.Implementation identity;
    private final ExecutorService workers = Threads.workers("acp-request");

    /** A request that is answered keeps its thread until the editor reads the answer. */
    private final Semaphore room = new Semaphore(MAX_AT_ONCE);

    private volatile boolean isInitialized;

    AgentRequests(EditorSessions sessions, AcpSchema.Implementation identity) {
        this.sessions = sessions;
        this.identity = identity;
    }

    Map<String, RequestHandler<?>> handlers() {
        Map<String, RequestHandler<?>> handlers = new HashMap<>();
        // On the reading thread, so that the next message finds its effect.
        handlers.put(AcpSchema.METHOD_INITIALIZE, params -> Mono.just(guarded(() -> initialize(params))));
        handlers.put(EditorConnection.PROMPT, this::prompt);
        put(handlers, AcpSchema.METHOD_SESSION_NEW, AcpSchema.NewSessionRequest.class, sessions::create);
        put(handlers, AcpSchema.METHOD_SESSION_LOAD, AcpSchema.LoadSessionRequest.class, sessions::load);
        put(handlers, AcpSchema.METHOD_SESSION_RESUME, AcpSchema.ResumeSessionRequest.class, sessions::resume);
        put(handlers, AcpSchema.METHOD_SESSION_LIST, AcpSchema.ListSessionsRequest.class, sessions::list);
        put(handlers, AcpSchema.METHOD_SESSION_CLOSE, AcpSchema.CloseSessionRequest.class, sessions::close);
        put(handlers, AcpSchema.METHOD_SESSION_SET_MODE, AcpSchema.SetSessionModeRequest.class, sessions::mode);
        put(handlers, EditorSessions.SET_MODEL, EditorSessions.ModelRequest.class, sessions::model);
        put(
                handlers,
                AcpSchema.METHOD_SESSION_SET_CONFIG_OPTION,
                AcpSchema.SetSessionConfigOptionRequest.class,
                sessions::option);
        return handlers;
    }

    Map<String, NotificationHandler> notifications() {
        return Map.of(AcpSchema.METHOD_SESSION_CANCEL, params -> Mono.fromRunnable(() -> cancel(params)));
    }

    private <T> void put(
            Map<String, RequestHandler<?>> handlers, String method, Class<T> type, Function<T, Object> answer) {
        RequestHandler<Object> handler = params -> {
            T request = guarded(() -> read(params, type));
            return onWorker(() -> answer.apply(request));
        };
        handlers.put(method, handler);
    }

    private <T> Mono<T> onWorker(Supplier<T> answer) {
        if (!room.tryAcquire()) {
            throw new RequestError(
                    AcpErrorCodes.INTERNAL_ERROR,
                    MAX_AT_ONCE + " requests are at work, the most there may be: wait for the answer to one");
        }
        CompletableFuture<T> answered = new CompletableFuture<>();
        try {
            workers.execute(() -> answer(answer, answered));
        } catch (RejectedExecutionException closed) {
            room.release();
            throw new RequestError(AcpErrorCodes.INTERNAL_ERROR, "the connection is being closed");
        }
        return Mono.fromFuture(answered);
    }

    private <T> void answer(Supplier<T> answer, CompletableFuture<T> answered) {
        try {
            boolean unused = answered.complete(guarded(answer)); // sends it, too
        } catch (RequestError failed) {
            boolean unused = answered.completeExceptionally(failed);
        } finally {
            room.release();
        }
    }

    /** Converts every failure to a protocol error. */
    private static <T> T guarded(Supplier<T> answer) {
        try {
            return answer.get();
        } catch (RequestError known) {
            throw known;
        } catch (AcpRefusedException refused) {
            int code = switch (refused.reason()) {
                case INVALID -> AcpErrorCodes.INVALID_PARAMS;
                case NOT_FOUND -> AcpErrorCodes.SESSION_NOT_FOUND;
                case FAILED -> AcpErrorCodes.INTERNAL_ERROR;
            };
            throw new RequestError(code, String.valueOf(refused.getMessage()));
        } catch (RuntimeException | Error fault) {
            LOG.log(Level.WARNING, "A request of the editor failed", fault);
            throw new RequestError(AcpErrorCodes.INTERNAL_ERROR, "the request failed: " + fault);
        }
    }

    private <T> T read(@Nullable Object params, Class<T> type) {
        if (!isInitialized && type != AcpSchema.InitializeRequest.class) {
            throw new RequestError(AcpErrorCodes.INVALID_REQUEST, "not initialized yet: 'initialize' comes first");
        }
        try {
            return EditorConnection.convert(params == null ? Map.of() : params, type);
        } catch (IllegalArgumentException malformed) {
            throw new RequestError(AcpErrorCodes.INVALID_PARAMS, "the parameters are not those of this request");
        }
    }

    /**
     * Answers with the version that this server implements, as the protocol requires; the editor
     * then decides whether to continue.
     */
    private Object initialize(@Nullable Object params) {
        AcpSchema.InitializeRequest request = read(params, AcpSchema.InitializeRequest.class);
        if (Optional.ofNullable(request.protocolVersion()).isEmpty()) {
            throw new RequestError(AcpErrorCodes.INVALID_PARAMS, "'protocolVersion' is missing");
        }
        sessions.hasBuffers(Optional.ofNullable(request.clientCapabilities())
                .map(AcpSchema.ClientCapabilities::fs)
                .map(AcpSchema.FileSystemCapability::readTextFile)
                .orElse(false));
        isInitialized = true;
        Map<String, Object> offered = Map.of("list", Map.of(), "close", Map.of(), "resume", Map.of());
        return Map.of(
                "protocolVersion",
                AcpSchema.LATEST_PROTOCOL_VERSION,
                "agentInfo",
                identity,
                "authMethods",
                List.of(),
                "agentCapabilities",
                Map.of(
                        "loadSession",
                        true,
                        "promptCapabilities",
                        new AcpSchema.PromptCapabilities(false, true, false),
                        "mcpCapabilities",
                        new AcpSchema.McpCapabilities(false, false),
                        "sessionCapabilities",
                        offered));
    }

    /** Begins on the reading thread: a cancellation that follows finds the prompt. */
    private Mono<Object> prompt(@Nullable Object params) {
        AcpSchema.PromptRequest request = guarded(() -> read(params, AcpSchema.PromptRequest.class));
        String text = guarded(
                () -> PromptText.of(Optional.ofNullable(request.prompt()).orElse(List.of())));
        EditorSession session = guarded(() -> sessions.find(request.sessionId()));
        session.begin();
        try {
            return onWorker(() -> session.run(text));
        } catch (RequestError refused) {
            session.end();
            throw refused;
        }
    }

    private void cancel(@Nullable Object params) {
        AcpSchema.CancelNotification request = read(params, AcpSchema.CancelNotification.class);
        EditorSession session = sessions.find(request.sessionId());
        // Terminating a command may take a moment, while other messages must be read.
        session.cancel()
                .ifPresent(prompt -> Threads.daemon("acp-cancel", () -> session.abort(prompt))
                        .start());
    }

    /** Waits briefly until the requests at work are answered. */
    void close() {
        workers.shutdown();
        try {
            boolean unused = workers.awaitTermination(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    AcpAgentSession connect(EditorConnection connection, Duration patience) {
        return new AcpAgentSession(patience, connection, handlers(), notifications());
    }
}
