package dev.paddock.harness.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelListener;
import dev.paddock.harness.model.ModelRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Connects a session to a language model through LangChain4j: one of the providers that this module
 * supports, whose {@linkplain Provider#artifact artifact} the program brings, or any {@link
 * StreamingChatModel} or {@link ChatModel}.
 *
 * <pre>{@code
 * Model model = LangChain4jModel.of(Provider.ANTHROPIC, "claude-sonnet-4-5").build();
 * }</pre>
 *
 * <p>A turn that fails because of a rate limit, an overloaded provider or a broken stream is
 * retried up to 4 times: after the time that the provider asks for if that is a minute or less,
 * else after 1, 2, 4 and 8 seconds, plus or minus up to 25 percent. After a timeout it is retried
 * once. A failure that waiting cannot resolve is thrown at once, as a {@link ModelException}.
 *
 * <p>An abort closes the connection. One instance may serve several sessions.
 *
 * @since 0.1
 */
public final class LangChain4jModel implements Model {

    /** Creates the library's model for one attempt. */
    @FunctionalInterface
    interface Source {
        Opened open(Attempt attempt, Failures failures);
    }

    /**
     * The library's model for one attempt.
     *
     * @param exchange the HTTP exchange, if the model uses this module's client
     */
    record Opened(StreamingChatModel model, Optional<Exchange> exchange) {}

    private final Source source;
    private final Failures failures;
    private final Turns turns;
    private final Duration patience;
    private final Backoff backoff;
    private final boolean images;
    private volatile boolean hasAnswered;

    LangChain4jModel(Source source, Peer peer, Duration patience, Backoff backoff, boolean images) {
        this.source = source;
        this.failures = new Failures(peer);
        this.turns = new Turns(failures);
        this.patience = patience;
        this.backoff = backoff;
        this.images = images;
    }

    /**
     * Returns a builder for a provider's model.
     *
     * @param provider the provider
     * @param name the model's name at the provider
     * @return a builder with the defaults
     * @throws IllegalArgumentException if the name is blank
     */
    public static LangChain4jModelBuilder of(Provider provider, String name) {
        return new LangChain4jModelBuilder(provider, name);
    }

    /**
     * Wraps a model that the caller made with LangChain4j. This module does not control its
     * connection: the Retry-After time of a rate limit is not available, and an abort closes the
     * connection only once part of the answer has arrived. A stream that ended prematurely is
     * detected only by the answer's missing finish reason.
     *
     * @param model the model; its own timeouts and retries apply
     * @return the model for a session, with {@linkplain LangChain4jModelBuilder#patience 5 minutes'
     *     patience}
     */
    public static LangChain4jModel over(StreamingChatModel model) {
        return over(
                (attempt, failures) -> new Opened(model, Optional.empty()),
                model.provider(),
                model.defaultRequestParameters());
    }

    /**
     * Wraps a model that the caller made with LangChain4j and that does not stream. The session
     * receives each answer in one piece. The model is called on a thread of its own; an abort
     * interrupts that thread, and does not wait for it. Prefer {@link #over(StreamingChatModel)} if
     * there is a choice: a session shows a streamed answer as it arrives, and waits longer for it.
     *
     * @param model the model; its own timeouts and retries apply. A complete answer has to arrive
     *     within {@linkplain LangChain4jModelBuilder#patience 5 minutes}
     * @return the model for a session
     */
    public static LangChain4jModel over(ChatModel model) {
        return over(
                (attempt, failures) -> new Opened(new WholeAnswers(model, attempt), Optional.empty()),
                model.provider(),
                model.defaultRequestParameters());
    }

    private static LangChain4jModel over(Source source, ModelProvider provider, ChatRequestParameters defaults) {
        String name = provider.name().toLowerCase(Locale.ROOT);
        Optional<String> modelName = Optional.ofNullable(defaults.modelName());
        return new LangChain4jModel(
                source,
                new Peer(name, modelName.orElse(""), "", Optional.empty()),
                LangChain4jModelBuilder.DEFAULT_PATIENCE,
                LangChain4jModelBuilder.DEFAULT_BACKOFF,
                false);
    }

    /**
     * Requests a turn.
     *
     * @throws ModelException if the turn fails
     * @throws dev.paddock.executor.AbortedException if the request's signal is aborted
     */
    @Override
    public AssistantTurn respond(ModelRequest request, ModelListener listener) {
        ChatRequest translated = Requests.of(request, failures.peer(), images);
        for (int tries = 1; true; tries++) {
            request.signal().throwIfAborted();
            try {
                AssistantTurn turn = attempt(translated, request, listener);
                hasAnswered = true;
                return turn;
            } catch (ModelException fault) {
                request.signal().throwIfAborted();
                hasAnswered |= fault.kind() != ModelException.Kind.UNREACHABLE;
                Optional<Duration> wait = backoff.after(fault, tries, hasAnswered);
                if (wait.isEmpty()) {
                    throw fault;
                }
                listener.onRetry(ModelListener.Retry.of(fault, wait.get(), tries + 1, backoff.most(fault) + 1));
                Backoff.pause(wait.get(), request.signal());
            }
        }
    }

    /**
     * Returns whether images are sent to the model.
     *
     * @return as the builder {@linkplain LangChain4jModelBuilder#images says}; false for a model that
     *     the caller made
     */
    @Override
    public boolean takesImages() {
        return images;
    }

    private AssistantTurn attempt(ChatRequest translated, ModelRequest request, ModelListener listener) {
        Attempt attempt = new Attempt(listener);
        Opened opened = source.open(attempt, failures);
        Optional<Exchange> exchange = opened.exchange();
        boolean isWhole = false;
        try {
            opened.model().chat(translated, attempt);
            ChatResponse response = attempt.await(patience, request.signal());
            isWhole = true;
            return turns.of(
                    response, request, exchange.isEmpty() || exchange.get().sawLast());
        } catch (Attempt.SilenceException silent) {
            throw failures.silent(patience);
        } catch (ExecutionException failed) {
            throw failures.of(failed, exchange.flatMap(Exchange::retryAfter));
        } catch (ModelException known) {
            throw known;
        } catch (RuntimeException refusedByTheLibrary) {
            throw failures.of(refusedByTheLibrary, Optional.empty());
        } finally {
            if (isWhole) {
                exchange.ifPresent(Exchange::endSoon);
            } else {
                attempt.cancel();
                exchange.ifPresent(Exchange::cancel);
            }
        }
    }

    @Override
    public String toString() {
        return failures.peer().toString();
    }
}
