package dev.paddock.harness.langchain4j;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.paddock.harness.model.ModelException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Collects the options of a provider's model and builds it. Not safe for use by several threads.
 *
 * <p>Defaults: the provider's own address, or that in {@code ANTHROPIC_BASE_URL}, {@code
 * OPENAI_BASE_URL} or {@code OLLAMA_HOST}; the key in the variable of {@link Provider#keyVariable};
 * 16,384 output tokens for Anthropic, which requires a limit, and the provider's own limit
 * elsewhere; 5 minutes' patience.
 *
 * <p>The program brings the provider's {@linkplain Provider#artifact artifact}. A program that runs
 * from the module path also resolves that artifact's module, with {@code requires} or {@code
 * --add-modules}.
 *
 * @since 0.1
 */
public final class LangChain4jModelBuilder {
    static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(5);
    static final Backoff DEFAULT_BACKOFF = new Backoff(4, Duration.ofSeconds(1));

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration MAX_PATIENCE = Duration.ofDays(1);

    private final Provider provider;
    private final String name;
    private Optional<String> baseUrl = Optional.empty();
    private Optional<String> keyVariable;
    private Optional<Integer> maxOutputTokens = Optional.empty();
    private Duration patience = DEFAULT_PATIENCE;
    private Backoff backoff = DEFAULT_BACKOFF;
    private boolean images;
    private Function<String, Optional<String>> environment = Environment::variable;

    LangChain4jModelBuilder(Provider provider, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the model's name is blank");
        }
        this.provider = provider;
        this.name = name;
        this.keyVariable = provider.keyVariable();
        this.images = provider == Provider.ANTHROPIC || provider == Provider.OPENAI;
    }

    /**
     * Sets the provider's base URL. By default it is the value of the provider's variable, or else
     * the provider's own address; {@link Provider#OPENAI_COMPATIBLE} has neither. {@link #build()}
     * rejects an invalid URL.
     *
     * @param value an absolute URL of http or https, without user and query: for Anthropic with or
     *     without {@code /v1}, for OpenAI's protocol everything before {@code /chat/completions};
     *     for Ollama also a host, a port or both, as {@code OLLAMA_HOST} takes them
     * @return this builder
     */
    public LangChain4jModelBuilder baseUrl(String value) {
        baseUrl = Optional.of(value);
        return this;
    }

    /**
     * Sets which environment variable holds the key. {@link #build()} reads the variable and
     * rejects a value that cannot be a key; no message contains the key itself.
     *
     * @param value the variable's name; {@link Provider#keyVariable} by default, which means no key
     *     for Ollama and {@link Provider#OPENAI_COMPATIBLE}
     * @return this builder
     */
    public LangChain4jModelBuilder keyVariable(String value) {
        keyVariable = Optional.of(value);
        return this;
    }

    /**
     * Sets the maximum length of an answer. A longer answer ends the run, since it is incomplete.
     *
     * @param value tokens, 1 or more
     * @return this builder
     * @throws IllegalArgumentException if it is less than 1
     */
    public LangChain4jModelBuilder maxOutputTokens(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("maxOutputTokens must be at least 1, not " + value);
        }
        maxOutputTokens = Optional.of(value);
        return this;
    }

    /**
     * Sets the patience: how long to wait for data, before an answer starts and within it.
     *
     * @param value more than zero, at most a day; 5 minutes by default
     * @return this builder
     * @throws IllegalArgumentException if it is out of range
     */
    public LangChain4jModelBuilder patience(Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(MAX_PATIENCE) > 0) {
            throw new IllegalArgumentException("patience must be more than 0 and at most a day, not " + value);
        }
        patience = value;
        return this;
    }

    /**
     * Sets how often a failed turn is retried.
     *
     * @param value 0 or more; 4 by default
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    public LangChain4jModelBuilder retries(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("retries must be 0 or more, not " + value);
        }
        backoff = new Backoff(value, backoff.first());
        return this;
    }

    /**
     * Sets whether the model accepts images, such as those that the tool {@code read} returns. A
     * model that does not may refuse every later turn of a conversation that contains one.
     *
     * @param value by default true for {@link Provider#ANTHROPIC} and {@link Provider#OPENAI}, and
     *     false for the others, whose models differ
     * @return this builder
     */
    public LangChain4jModelBuilder images(boolean value) {
        images = value;
        return this;
    }

    /** Sets, for tests, the first wait between retries. */
    LangChain4jModelBuilder firstWait(Duration value) {
        backoff = new Backoff(backoff.retries(), value);
        return this;
    }

    /** Sets, for tests, an environment instead of the process's. */
    LangChain4jModelBuilder environment(Map<String, String> variables) {
        environment = variable -> Optional.ofNullable(variables.get(variable));
        return this;
    }

    /**
     * Builds the model. Opens no connection yet.
     *
     * @return the model
     * @throws IllegalStateException if the provider's {@linkplain Provider#artifact artifact} is
     *     not available; the message names it
     * @throws IllegalArgumentException if there is no base URL, or it is invalid
     * @throws ModelException if a required key is missing, or is invalid; the message names the
     *     variable
     */
    public LangChain4jModel build() {
        requireArtifact();
        String url = url();
        Optional<ApiKey> key = keyVariable.map(this::key);
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
        Peer peer = new Peer(provider.label(), name, url, key);
        return new LangChain4jModel(
                (attempt, failures) -> {
                    Exchange exchange = new Exchange(http, attempt, failures);
                    StreamingChatModel model = ProviderModels.create(
                            new ProviderModels.Settings(provider, name, url, key, maxOutputTokens),
                            new Client(exchange));
                    return new LangChain4jModel.Opened(model, Optional.of(exchange));
                },
                peer,
                patience,
                backoff,
                images);
    }

    /** Detects a missing artifact now: the first turn would fail with an error of class loading. */
    private void requireArtifact() {
        try {
            Class.forName(provider.modelClass(), false, LangChain4jModelBuilder.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            throw new IllegalStateException(
                    "models of the provider '" + provider.label() + "' need the artifact " + provider.artifact()
                            + ", which is not on the class path or the module path; add it as a dependency, in the"
                            + " version of dev.langchain4j:langchain4j-core",
                    absent);
        }
    }

    private ApiKey key(String variable) {
        return environment
                .apply(variable)
                .map(secret -> new ApiKey(variable, secret))
                .orElseThrow(() -> new ModelException(
                        ModelException.Kind.AUTHENTICATION,
                        "there is no key for " + provider.label() + ": the environment variable " + variable
                                + " is not set; set it to the provider's key, or name the variable that holds it"));
    }

    private String url() {
        Optional<String> given =
                baseUrl.or(() -> provider.urlVariable().flatMap(environment)).or(provider::defaultUrl);
        String url = given.orElseThrow(
                () -> new IllegalArgumentException("there is no base URL for " + provider.label() + "; give one"));
        String whole = provider == Provider.OLLAMA && !url.contains("://") ? ofOllama(url.strip()) : url;
        String trimmed = requireUrl(whole).replaceAll("/+$", "");
        return provider == Provider.ANTHROPIC && !trimmed.endsWith("/v1") ? trimmed + "/v1" : trimmed;
    }

    /**
     * Completes a value of {@code OLLAMA_HOST} as Ollama's own programs do: a host, a port or both,
     * with or without a path; without a scheme, the default port is Ollama's.
     */
    private static String ofOllama(String value) {
        String host = value.startsWith(":") ? "localhost" + value : value;
        return "http://" + (host.matches("[^/]*:\\d+(/.*)?") ? host : host.replaceFirst("^[^/]*", "$0:11434"));
    }

    private static String requireUrl(String text) {
        try {
            URI url = new URI(text.strip());
            boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            if (isHttp && url.getHost() != null && url.getUserInfo() == null && url.getQuery() == null) {
                return url.toString();
            }
        } catch (URISyntaxException fault) {
            throw noUrl(text, fault);
        }
        throw noUrl(text, new URISyntaxException(text, "not http or https with a host, without user and query"));
    }

    private static IllegalArgumentException noUrl(String text, URISyntaxException fault) {
        // User information in the URL may contain a password.
        String shown = text.contains("@") ? "" : ": '" + text + "'";
        return new IllegalArgumentException(
                "the base URL is invalid; write it as https://api.example.com/v1 (" + fault.getReason() + ")" + shown);
    }

    /**
     * Makes the library use the exchange as its HTTP client. Timeouts are enforced by the attempt.
     */
    private record Client(Exchange exchange) implements HttpClientBuilder {
        @Override
        public Duration connectTimeout() {
            return CONNECT_TIMEOUT;
        }

        @Override
        public HttpClientBuilder connectTimeout(Duration timeout) {
            return this;
        }

        @Override
        public Duration readTimeout() {
            return MAX_PATIENCE;
        }

        @Override
        public HttpClientBuilder readTimeout(Duration timeout) {
            return this;
        }

        @Override
        public Exchange build() {
            return exchange;
        }
    }
}
