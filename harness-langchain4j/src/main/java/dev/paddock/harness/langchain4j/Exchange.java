package dev.paddock.harness.langchain4j;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Carries out one HTTP request of the library over the JDK's client. The library's own adapter to
 * that client loses what is needed here: the Retry-After time of an error, the connection until an
 * answer has begun, an error within a stream, and the premature end of a stream.
 */
final class Exchange implements HttpClient {
    private static final int MAX_ERROR_LENGTH = 64 * 1024;
    private static final Duration LAST_BYTES = Duration.ofSeconds(2);
    private static final String LAST_OF_OPENAI = "[DONE]";

    private final java.net.http.HttpClient http;
    private final Attempt attempt;
    private final Failures failures;
    private volatile Optional<CompletableFuture<HttpResponse<InputStream>>> sending = Optional.empty();
    private volatile Optional<InputStream> body = Optional.empty();
    private volatile Optional<Duration> retryAfter = Optional.empty();
    private volatile boolean isCancelled;
    private volatile boolean sawLast;

    Exchange(java.net.http.HttpClient http, Attempt attempt, Failures failures) {
        this.http = http;
        this.attempt = attempt;
        this.failures = failures;
    }

    /** Returns how long the provider asks the client to wait before it retries. */
    Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the stream contained the protocol's end marker, if the protocol has one. */
    boolean sawLast() {
        return sawLast;
    }

    /** Closes the connection, in whatever state it is. */
    void cancel() {
        isCancelled = true;
        sending.ifPresent(one -> one.cancel(true));
        body.ifPresent(Exchange::close);
    }

    /**
     * Closes the connection after a delay: after a complete answer the stream may still end by
     * itself, so that the connection can be reused for the next turn.
     */
    void endSoon() {
        CompletableFuture.delayedExecutor(LAST_BYTES.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::cancel);
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new UnsupportedFeatureException("models are asked for streams alone");
    }

    @Override
    public void execute(HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        CompletableFuture<HttpResponse<InputStream>> answer =
                http.sendAsync(translate(request), BodyHandlers.ofInputStream());
        sending = Optional.of(answer);
        // An answer that has already arrived would be read on the calling thread, which must wait
        // and react to an abort.
        CompletableFuture<Void> unused = answer.thenAcceptAsync(
                        response -> receive(response, parser, new Watch(listener)), Exchange::onThread)
                .exceptionally(fault -> {
                    attempt.fail(fault);
                    return null;
                });
        if (isCancelled) {
            cancel();
        }
    }

    private static void onThread(Runnable reading) {
        Thread unused = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("paddock-model")
                .start(reading);
    }

    private static java.net.http.HttpRequest translate(HttpRequest request) {
        URI target = URI.create(request.url());
        // Without TLS, HTTP/1.1 is used, since not all servers handle the HTTP/2 upgrade correctly.
        java.net.http.HttpClient.Version version = "https".equalsIgnoreCase(target.getScheme())
                ? java.net.http.HttpClient.Version.HTTP_2
                : java.net.http.HttpClient.Version.HTTP_1_1;
        java.net.http.HttpRequest.Builder builder = java.net.http.HttpRequest.newBuilder(target)
                .version(version)
                .method(request.method().name(), BodyPublishers.ofString(request.body()));
        request.headers().forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        return builder.build();
    }

    private void receive(HttpResponse<InputStream> response, ServerSentEventParser parser, Watch listener) {
        attempt.heard();
        body = Optional.of(response.body());
        if (isCancelled) {
            close(response.body());
            return;
        }
        if (response.statusCode() / 100 == 2) {
            listener.onOpen(SuccessfulHttpResponse.builder()
                    .statusCode(response.statusCode())
                    .headers(response.headers().map())
                    .build());
            parser.parse(response.body(), listener);
            listener.onClose();
        } else {
            retryAfter = RetryAfter.of(response.headers());
            attempt.fail(new HttpException(response.statusCode(), text(response.body())));
        }
    }

    private static String text(InputStream body) {
        try (body) {
            return new String(body.readNBytes(MAX_ERROR_LENGTH), StandardCharsets.UTF_8);
        } catch (IOException cutOff) {
            return "";
        }
    }

    private static void close(InputStream body) {
        try {
            body.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    /** Inspects the stream's events before the library receives them. */
    private final class Watch implements ServerSentEventListener {
        private final ServerSentEventListener library;

        Watch(ServerSentEventListener library) {
            this.library = library;
        }

        @Override
        public void onOpen(SuccessfulHttpResponse response) {
            library.onOpen(response);
        }

        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
            attempt.heard();
            String data = event.data();
            sawLast |= data.equals(LAST_OF_OPENAI);
            if (attempt.isOver() || data.isBlank()) {
                return;
            }
            Optional<ErrorBody> error =
                    "error".equals(event.event()) ? Optional.of(ErrorBody.parse(data)) : ErrorBody.ofEvent(data);
            if (error.isPresent()) {
                attempt.fail(failures.ofAnswer(0, error.get(), Optional.empty()));
                return;
            }
            try {
                library.onEvent(event, context);
            } catch (RuntimeException garbage) {
                // The library would log the exception and continue without the event.
                attempt.fail(garbage);
            }
        }

        @Override
        public void onError(Throwable fault) {
            attempt.fail(fault);
        }

        @Override
        public void onClose() {
            library.onClose();
            attempt.fail(new EOFException("it ended before it was complete"));
        }
    }
}
