package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.http.client.HttpMethod;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.sse.DefaultServerSentEventParser;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the HTTP exchange below the library. */
class ExchangeTest {

    /** Otherwise neither the patience nor an abort would end the caller's wait. */
    @Test
    @Timeout(60)
    void answerThatIsThereAtOnceIsNotReadByCaller() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        try (ProtocolServer server = new ProtocolServer()) {
            server.then((request, reply) -> {
                reply.stream().send("data: begun\n\n").untilClosed();
                closed.complete(reply.closedByClient.join());
            });
            Exchange exchange = new Exchange(
                    new Prompt(HttpClient.newHttpClient()),
                    new Attempt(text -> {}),
                    new Failures(new Peer("test", "", server.url(), Optional.empty())));
            exchange.execute(
                    HttpRequest.builder()
                            .method(HttpMethod.POST)
                            .url(server.url())
                            .body("{}")
                            .build(),
                    new DefaultServerSentEventParser(),
                    new ServerSentEventListener() {
                        @Override
                        public void onEvent(ServerSentEvent event) {
                            heard.complete(event.data());
                        }

                        @Override
                        public void onError(Throwable fault) {}
                    });
            // The call has returned, although the answer is still streaming.
            assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo("begun");
            exchange.cancel();
            assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A client that has received the head of the answer by the time the request has been sent. */
    private static final class Prompt extends HttpClient {
        private final HttpClient real;

        Prompt(HttpClient real) {
            this.real = real;
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                java.net.http.HttpRequest request, HttpResponse.BodyHandler<T> handler) {
            CompletableFuture<HttpResponse<T>> answer = real.sendAsync(request, handler);
            HttpResponse<T> unused = answer.join();
            return answer;
        }

        @Override
        public <T> CompletableFuture<HttpResponse<T>> sendAsync(
                java.net.http.HttpRequest request,
                HttpResponse.BodyHandler<T> handler,
                HttpResponse.PushPromiseHandler<T> pushes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> HttpResponse<T> send(java.net.http.HttpRequest request, HttpResponse.BodyHandler<T> handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<CookieHandler> cookieHandler() {
            return real.cookieHandler();
        }

        @Override
        public Optional<Duration> connectTimeout() {
            return real.connectTimeout();
        }

        @Override
        public Redirect followRedirects() {
            return real.followRedirects();
        }

        @Override
        public Optional<ProxySelector> proxy() {
            return real.proxy();
        }

        @Override
        public SSLContext sslContext() {
            return real.sslContext();
        }

        @Override
        public SSLParameters sslParameters() {
            return real.sslParameters();
        }

        @Override
        public Optional<Authenticator> authenticator() {
            return real.authenticator();
        }

        @Override
        public Version version() {
            return real.version();
        }

        @Override
        public Optional<Executor> executor() {
            return real.executor();
        }
    }
}
