package dev.paddock.harness.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelException.Kind;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests failures between a session and a provider, and how they are reported. */
class TroubleTest {
    private static final Duration SHORT = Duration.ofMillis(10);
    private static final String ERROR = "{\"error\":{\"type\":\"%s\",\"message\":\"%s\"}}";

    private final List<String> heard = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();
    private final List<String> attempts = new ArrayList<>();
    private ProtocolServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ProtocolServer();
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private final ModelListener listener = new ModelListener() {
        @Override
        public void onText(String delta) {
            heard.add(delta);
        }

        @Override
        public void onRetry(Retry retry) {
            heard.clear();
            waits.add(retry.delay());
            attempts.add(retry.attempt() + " of " + retry.attempts());
        }
    };

    private AssistantTurn respond(Model model) {
        return respond(model, AbortSignal.never());
    }

    private AssistantTurn respond(Model model, AbortSignal signal) {
        return model.respond(
                ModelRequest.builder(List.of(new Message.User("Go")))
                        .systemPrompt("You are tested.")
                        .signal(signal)
                        .build(),
                listener);
    }

    private ModelException failure(LangChain4jModelBuilder model) {
        Throwable fault = catchThrowable(() -> respond(model.firstWait(SHORT).build()));
        assertThat(fault).isInstanceOf(ModelException.class);
        StringWriter whole = new StringWriter();
        fault.printStackTrace(new PrintWriter(whole));
        assertThat(whole.toString()).doesNotContain(Protocol.SECRET);
        return (ModelException) fault;
    }

    private static ProtocolServer.Answer status(int status, String headers, String body) {
        return (request, reply) -> reply.status(status, headers, body);
    }

    private ProtocolServer.Answer yes(Protocol protocol) {
        return protocol.from((request, fault) -> AssistantTurn.saying("Yes."), 1000);
    }

    /** Returns the beginning of a turn, for a stream that breaks off. */
    private static String beginning(Protocol protocol) {
        String whole = String.join("", protocol.events(AssistantTurn.saying("Half a sentence and more")));
        return whole.substring(0, whole.length() / 2);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rateLimitIsWaitedForAsLongAsProviderAsks(Protocol protocol) {
        server.then(status(429, "retry-after-ms: 20\r\n", ERROR.formatted("rate_limit_error", "slow down")));
        server.then(yes(protocol));
        AssistantTurn turn = respond(protocol.model(server).firstWait(SHORT).build());
        assertThat(turn.text()).isEqualTo("Yes.");
        assertThat(waits).containsExactly(Duration.ofMillis(20));
    }

    /** How the header is read is the same for all protocols. */
    @Test
    void rateLimitInSecondsIsWaitedFor() {
        server.then(status(429, "Retry-After: 1\r\n", ERROR.formatted("rate_limit_error", "slow down")));
        server.then(yes(Protocol.ANTHROPIC));
        AssistantTurn turn =
                respond(Protocol.ANTHROPIC.model(server).firstWait(SHORT).build());
        assertThat(turn.text()).isEqualTo("Yes.");
        assertThat(waits).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void rateLimitThatLastsIsReportedAndNotWaitedFor() {
        server.then(status(429, "Retry-After: 3600\r\n", ERROR.formatted("rate_limit_error", "slow down")));
        ModelException fault = failure(Protocol.ANTHROPIC.model(server));
        assertThat(fault.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(fault.retryAfter()).contains(Duration.ofHours(1));
        assertThat(fault).hasMessageContainingAll("anthropic at " + server.url(), "429: slow down", "in 3600 s");
        assertThat(waits).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ANTHROPIC, 529", "ANTHROPIC, 503", "OPENAI, 503", "OPENAI, 500", "OLLAMA, 503"})
    void overloadIsWaitedOutAndInEndReported(Protocol protocol, int status) {
        for (int i = 0; i < 3; i++) {
            server.then(status(status, "", ERROR.formatted("overloaded_error", "Overloaded")));
        }
        ModelException fault = failure(protocol.model(server).retries(2));
        assertThat(fault.kind()).isEqualTo(Kind.OVERLOADED);
        assertThat(fault).hasMessageContainingAll(status + ": Overloaded", "try again later");
        assertThat(waits).hasSize(2);
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(7), Duration.ofMillis(13));
        assertThat(waits.get(1)).isBetween(Duration.ofMillis(15), Duration.ofMillis(25));
        assertThat(attempts).containsExactly("2 of 3", "3 of 3");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            401 | {"error":{"type":"invalid_request_error","message":"Incorrect API key: sk-very-secret-0123456789"}} | AUTHENTICATION | OPENAI_API_KEY
            403 | no                                                                 | AUTHENTICATION   | OPENAI_API_KEY
            404 | {"error":{"message":"no such model","code":"model_not_found"}}     | NOT_FOUND        | the model 'test-model'
            302 | moved                                                              | NOT_FOUND        | base URL
            400 | {"error":{"code":"context_length_exceeded","message":"8193 tokens"}} | CONTEXT_TOO_LONG | 8193 tokens
            400 | {"error":{"message":"prompt is too long: 210000 tokens > 200000"}} | CONTEXT_TOO_LONG | begin a new session
            413 | big                                                                | CONTEXT_TOO_LONG | begin a new session
            400 | {"object":"error","message":"temperature must not be negative"}    | REFUSED          | temperature must not
            429 | {"error":{"type":"insufficient_quota","message":"You exceeded it"}} | OUT_OF_CREDIT   | add credit to the account
            429 | {"error":{"type":"exceeded_current_quota_error","message":"Pay"}}  | OUT_OF_CREDIT    | add credit to the account
            402 | no                                                                 | OUT_OF_CREDIT    | add credit to the account
            400 | {"error":{"type":"x","message":"Your credit balance is too low"}}  | OUT_OF_CREDIT    | add credit to the account
            """)
    void anErrorThatWaitingDoesNotMendIsReportedAtOnce(int status, String body, Kind kind, String part) {
        server.then(status(status, "", body));
        ModelException fault = failure(Protocol.OPENAI.model(server));
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault).hasMessageContaining(part).hasMessageContaining(Integer.toString(status));
        assertThat(waits).isEmpty();
        assertThat(server.requests()).hasSize(1);
    }

    /** Rate limits per minute, in wordings of providers that mean something else with others. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            429 | {"error":{"type":"rate_limit_error","message":"Too many tokens, please wait before trying again."}}
            429 | {"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details"}}
            429 | {"error":{"type":"tokens","code":"rate_limit_exceeded","message":"Reduce the length of the messages"}}
            400 | {"error":{"type":"rate_limit_error","message":"Too many tokens"}}
            429 | Too many tokens
            """)
    void limitPerMinuteIsWaitedOutWhateverItIsCalled(int status, String body) {
        server.then(status(status, "", body));
        server.then(status(status, "", body));
        ModelException fault = failure(Protocol.OPENAI.model(server).retries(1));
        assertThat(fault.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(waits).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void streamThatIsCutOffIsBegunAgainAndWhatItSentIsVoid(Protocol protocol) {
        server.then((request, reply) -> {
            reply.stream().send(beginning(protocol));
            reply.cut();
        });
        server.then((request, reply) -> reply.stream().send(beginning(protocol)).end());
        server.then(yes(protocol));
        assertThat(respond(protocol.model(server).firstWait(SHORT).build()).text())
                .isEqualTo("Yes.");
        assertThat(waits).hasSize(2);
        assertThat(String.join("", heard)).isEqualTo("Yes.");
    }

    @ParameterizedTest
    @CsvSource({
        "ANTHROPIC, 'event: content_block_delta\ndata: {\"type\": broken}\n\n'",
        "OPENAI, 'data: {\"choices\": broken}\n\n'",
        "OLLAMA, '{\"message\": broken}\n'"
    })
    void garbageIsBrokenStream(Protocol protocol, String garbage) {
        server.then((request, reply) -> reply.stream().send(garbage).end());
        ModelException fault = failure(protocol.model(server).retries(0));
        assertThat(fault.kind()).isEqualTo(Kind.BROKEN_STREAM);
        assertThat(fault).hasMessageContainingAll("ended early or is malformed", "check the base URL");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void emptyAnswerAndAnswerOfSomethingElseAreBrokenStreams(Protocol protocol) {
        server.then(status(200, "", ""));
        server.then(status(200, "", "<html>Welcome to the hotel's network</html>"));
        assertThat(failure(protocol.model(server).retries(1)).kind()).isEqualTo(Kind.BROKEN_STREAM);
        assertThat(waits).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ANTHROPIC | event: error~data: {"type":"error","error":{"type":"overloaded_error","message":"Too busy"}}~~ | OVERLOADED
            OPENAI    | data: {"error":{"type":"server_error","message":"Too busy"}}~~                                | OVERLOADED
            OPENAI    | data: {"id":"x", "choices":[], "error": {"code":429,"type":"rate_limit","message":"Too busy"}}~~ | RATE_LIMITED
            OLLAMA    | {"error":"Too busy"}~                                                                         | OVERLOADED
            ANTHROPIC | event: error~data: {"type":"error","error":{"type":"rate_limit_error","message":"Too busy"}}~~ | RATE_LIMITED
            """)
    void anErrorInTheMidstOfAStreamIsReportedAsWhatItIs(Protocol protocol, String event, Kind kind) {
        server.then((request, reply) -> reply.stream()
                .send(beginning(protocol).replaceFirst("(?s)[^\n]*$", "") + event.replace('~', '\n'))
                .end());
        ModelException fault = failure(protocol.model(server).retries(0));
        assertThat(fault.kind()).isEqualTo(kind);
        assertThat(fault).hasMessageContaining("Too busy");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void silenceEndsAttemptBeforeAndWithinAnswer(Protocol protocol) throws Exception {
        List<CompletableFuture<Boolean>> closed = List.of(new CompletableFuture<>(), new CompletableFuture<>());
        server.then((request, reply) -> {
            reply.untilClosed();
            closed.get(0).complete(reply.closedByClient.join());
        });
        server.then((request, reply) -> {
            reply.stream().send(beginning(protocol)).untilClosed();
            closed.get(1).complete(reply.closedByClient.join());
        });
        ModelException fault = failure(protocol.model(server).patience(Duration.ofMillis(300)));
        assertThat(fault.kind()).isEqualTo(Kind.TIMED_OUT);
        assertThat(fault).hasMessageContaining("for 0.3 s");
        assertThat(waits).as("begun again, once").hasSize(1);
        for (CompletableFuture<Boolean> one : closed) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void abortClosesConnectionAndReturns(Protocol protocol) throws Exception {
        for (boolean hasBegun : List.of(false, true)) {
            AbortController abort = new AbortController();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            server.then((request, reply) -> {
                if (hasBegun) {
                    reply.stream().send(beginning(protocol));
                }
                abort.abort("enough");
                reply.untilClosed();
                closed.complete(reply.closedByClient.join());
            });
            Model model = protocol.model(server).build();
            assertThatThrownBy(() -> respond(model, abort.signal())).isInstanceOf(AbortedException.class);
            assertThat(closed.get(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(waits).isEmpty();
    }

    @Test
    @Timeout(20)
    void abortEndsWaitForNextTry() {
        AbortController abort = new AbortController();
        server.then(status(429, "Retry-After: 50\r\n", "{}"));
        Model model = Protocol.ANTHROPIC.model(server).build();
        ModelListener aborting = new ModelListener() {
            @Override
            public void onText(String delta) {}

            @Override
            public void onRetry(Retry retry) {
                abort.abort("enough");
            }
        };
        assertThatThrownBy(() -> model.respond(
                        ModelRequest.builder(List.of(new Message.User("Go")))
                                .signal(abort.signal())
                                .build(),
                        aborting))
                .isInstanceOf(AbortedException.class);
    }

    @ParameterizedTest
    @CsvSource({"ANTHROPIC, end_turn, max_tokens", "OPENAI, stop\", length\"", "OLLAMA, stop, length"})
    void answerThatReachedItsLimitIsNotTakenForWholeOne(Protocol protocol, String whole, String cut) {
        server.then((request, reply) -> reply.stream()
                .send(String.join("", protocol.events(AssistantTurn.saying("Yes.")))
                        .replace(whole.replace("\"", ""), cut.replace("\"", "")))
                .end());
        ModelException fault = failure(protocol.model(server));
        assertThat(fault.kind()).isEqualTo(Kind.CUT_OFF);
        assertThat(fault).hasMessageContaining("output tokens");
    }

    @Test
    void providerThatIsNotThereIsReportedAtOnce() throws IOException {
        server.close();
        ModelException fault = failure(Protocol.OLLAMA.model(server));
        assertThat(fault.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(fault).hasMessageContainingAll("ollama at " + server.url(), "check the base URL");
        assertThat(waits).isEmpty();
        ModelException unknown = failure(Protocol.OLLAMA.model(server).baseUrl("http://nowhere.invalid:1"));
        assertThat(unknown.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(unknown).hasMessageContaining("nowhere.invalid");
    }

    @Test
    void missingKeyIsReportedByItsVariable() {
        assertThatThrownBy(() -> LangChain4jModel.of(Provider.ANTHROPIC, "m")
                        .environment(Map.of())
                        .build())
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll("ANTHROPIC_API_KEY is not set");
        assertThatThrownBy(() -> LangChain4jModel.of(Provider.OPENAI_COMPATIBLE, "m")
                        .baseUrl("https://example.com/v1")
                        .keyVariable("MY_KEY")
                        .environment(Map.of("MY_KEY", "two\nlines"))
                        .build())
                .isInstanceOf(ModelException.class)
                .hasMessageContainingAll("MY_KEY holds no key")
                .hasMessageNotContaining("two");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "example.com",
                "ftp://example.com",
                "https://",
                "http://user:pass@example.com",
                "://",
                "h ttp://x"
            })
    void baseUrlThatIsNoneIsRefused(String url) {
        assertThatThrownBy(() -> LangChain4jModel.of(Provider.OPENAI_COMPATIBLE, "m")
                        .baseUrl(url)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("base URL")
                .hasMessageNotContaining("pass");
    }

    @Test
    void providersOwnVariablesTellWhereItIs() {
        server.then(yes(Protocol.OLLAMA));
        Model model = LangChain4jModel.of(Provider.OLLAMA, "m")
                .environment(Map.of("OLLAMA_HOST", server.url().replace("http://", "")))
                .build();
        assertThat(respond(model).text()).isEqualTo("Yes.");
    }

    /** The forms that Ollama's own programs accept. */
    @ParameterizedTest
    @CsvSource({
        "gpu,                  http://gpu:11434",
        "'  gpu ',             http://gpu:11434",
        "127.0.0.1,            http://127.0.0.1:11434",
        "[::1],                http://[::1]:11434",
        ":11434,               http://localhost:11434",
        "gpu:80,               http://gpu:80",
        "gpu/behind/it,        http://gpu:11434/behind/it",
        "gpu:80/behind:1/it/,  http://gpu:80/behind:1/it",
        "http://gpu,           http://gpu",
        "https://gpu/behind,   https://gpu/behind",
    })
    void OLLAMA_HOSTMayBeHostOrPortAlone(String value, String url) {
        Model model = LangChain4jModel.of(Provider.OLLAMA, "m")
                .environment(Map.of("OLLAMA_HOST", value))
                .build();
        assertThat(model).hasToString("m of ollama at " + url);
    }
}
