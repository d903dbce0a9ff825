package dev.paddock.executor.docker.engine;

import com.github.dockerjava.transport.DockerHttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Carries docker-java's calls to the engine, each on its own connection and with a timeout.
 *
 * <p>The published transports (3.7.1) ignore their response timeout on a unix socket, so that a frozen engine would
 * block every call forever; and they add 4 MiB of jars. A connection to a unix socket costs less than maintaining a
 * pool.
 */
final class EngineTransport implements DockerHttpClient {

    /** The time in which even a loaded healthy engine answers; after it a silent engine is reported (C15). */
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    /**
     * Creating, starting and removing a container moves file systems, and waits for concurrent calls that do; so does
     * the wait for a removal.
     */
    private static final Duration HEAVY_TIMEOUT = Duration.ofSeconds(60);

    private static final Pattern HEAVY =
            Pattern.compile("(POST /containers/(create|[^/]+/(start|stop|kill|restart|wait))|DELETE /containers/).*");

    /** Calls whose response body continues as long as the engine has something to report. */
    private static final Pattern STREAMING = Pattern.compile("GET /events.*|POST /images/create.*");

    /** Calls for which the engine sends nothing, not even the response head, before the registry has answered. */
    private static final Pattern ABOUT_THE_NETWORK = Pattern.compile("POST /images/create.*");

    private final EngineAddress address;
    private final Duration callTimeout;

    /** Creates a transport with a timeout for its calls: {@link #CALL_TIMEOUT}, except in tests. */
    EngineTransport(EngineAddress address, Duration callTimeout) {
        this.address = address;
        this.callTimeout = callTimeout;
    }

    @Override
    public Response execute(Request request) {
        try {
            return send(request);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private Response send(Request request) throws IOException {
        String line = request.method() + " " + request.path();
        Duration timeout = HEAVY.matcher(line).matches() ? HEAVY_TIMEOUT : callTimeout;
        EngineConnection connection = address.connect();
        Watchdog watchdog =
                ABOUT_THE_NETWORK.matcher(line).matches() ? Watchdog.none() : Watchdog.over(connection, timeout);
        try {
            Map<String, String> headers = new LinkedHashMap<>(request.headers());
            headers.keySet()
                    .removeIf(name -> name.equalsIgnoreCase("Content-Length")
                            || name.equalsIgnoreCase("Connection")
                            || name.equalsIgnoreCase("Host"));
            HttpCall call = HttpCall.send(
                    connection, address.host(), request.method(), request.path(), headers, content(request), false);
            if (STREAMING.matcher(line).matches()) {
                watchdog.stop();
            }
            return new Answer(call, connection, watchdog);
        } catch (IOException fault) {
            connection.close();
            throw watchdog.explain(fault, line, timeout);
        }
    }

    private static byte[] content(Request request) throws IOException {
        byte @Nullable [] bytes = request.bodyBytes();
        if (bytes != null) {
            return bytes;
        }
        InputStream body = request.body();
        return body == null ? new byte[0] : body.readAllBytes();
    }

    @Override
    public void close() {
        // No connection outlives its call.
    }

    /** Closes a connection whose answer takes too long, which ends a blocked read. */
    static final class Watchdog {
        private final AtomicBoolean over = new AtomicBoolean();
        private final CompletableFuture<Void> alarm;

        private Watchdog(CompletableFuture<Void> alarm) {
            this.alarm = alarm;
        }

        static Watchdog none() {
            return new Watchdog(CompletableFuture.completedFuture(null));
        }

        static Watchdog over(EngineConnection connection, Duration timeout) {
            CompletableFuture<Void> alarm = new CompletableFuture<>();
            Watchdog watchdog = new Watchdog(alarm);
            CompletionStage<Void> end = alarm.completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS);
            end.whenComplete((nothing, cancelled) -> {
                if (cancelled == null) {
                    watchdog.over.set(true);
                    connection.close();
                }
            });
            return watchdog;
        }

        void stop() {
            alarm.cancel(false);
        }

        IOException explain(IOException fault, String what, Duration timeout) {
            stop();
            if (!over.get()) {
                return fault;
            }
            IOException late = new SocketTimeoutException(
                    "the engine did not answer within " + timeout.toSeconds() + " s: " + what);
            late.addSuppressed(fault);
            return late;
        }
    }

    /** A response that owns its connection. */
    private static final class Answer implements Response {
        private final HttpCall call;
        private final EngineConnection connection;
        private final Watchdog watchdog;

        Answer(HttpCall call, EngineConnection connection, Watchdog watchdog) {
            this.call = call;
            this.connection = connection;
            this.watchdog = watchdog;
        }

        @Override
        public int getStatusCode() {
            return call.status();
        }

        @Override
        public Map<String, List<String>> getHeaders() {
            return call.headers();
        }

        @Override
        public InputStream getBody() {
            return call.body();
        }

        @Override
        public void close() {
            watchdog.stop();
            connection.close();
        }
    }
}
