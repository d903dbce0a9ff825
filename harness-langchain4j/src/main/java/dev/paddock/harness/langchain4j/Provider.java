package dev.paddock.harness.langchain4j;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A provider of language models, with its protocol.
 *
 * @since 0.1
 */
public enum Provider {
    /** Anthropic's messages API. The key is in {@code ANTHROPIC_API_KEY}. */
    ANTHROPIC(
            "anthropic",
            "https://api.anthropic.com",
            "ANTHROPIC_BASE_URL",
            "ANTHROPIC_API_KEY",
            "dev.langchain4j.model.anthropic.AnthropicStreamingChatModel"),
    /** OpenAI's chat completions API. The key is in {@code OPENAI_API_KEY}. */
    OPENAI(
            "openai",
            "https://api.openai.com/v1",
            "OPENAI_BASE_URL",
            "OPENAI_API_KEY",
            "dev.langchain4j.model.openai.OpenAiStreamingChatModel"),
    /** Ollama's chat API, without a key. */
    OLLAMA(
            "ollama",
            "http://localhost:11434",
            "OLLAMA_HOST",
            "",
            "dev.langchain4j.model.ollama.OllamaStreamingChatModel"),
    /**
     * Any server with OpenAI's chat completions API, at a base URL that must be given; with a key
     * only if its variable is named.
     */
    OPENAI_COMPATIBLE("openai-compatible", "", "", "", "dev.langchain4j.model.openai.OpenAiStreamingChatModel");

    private final String label;
    private final String defaultUrl;
    private final String urlVariable;
    private final String keyVariable;
    private final String modelClass;

    Provider(String label, String defaultUrl, String urlVariable, String keyVariable, String modelClass) {
        this.label = label;
        this.defaultUrl = defaultUrl;
        this.urlVariable = urlVariable;
        this.keyVariable = keyVariable;
        this.modelClass = modelClass;
    }

    /**
     * Returns the provider with a label.
     *
     * @param label a name as {@link #label} returns it
     * @return the provider
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static Provider of(String label) {
        return Arrays.stream(values())
                .filter(provider -> provider.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no provider '" + label + "'; there are "
                        + Arrays.stream(values()).map(Provider::label).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the provider's name on a command line.
     *
     * @return a word in lower case
     */
    public String label() {
        return label;
    }

    /**
     * Returns the environment variable that holds the key, unless another is named.
     *
     * @return its name; empty if no key is used
     */
    public Optional<String> keyVariable() {
        return given(keyVariable);
    }

    /**
     * Returns the artifact that contains LangChain4j's model of the provider. The program brings
     * it, in the version of {@code dev.langchain4j:langchain4j-core}.
     *
     * @return the group and the artifact, separated by a colon
     */
    public String artifact() {
        return "dev.langchain4j:langchain4j-"
                + switch (this) {
                    case ANTHROPIC -> "anthropic";
                    case OPENAI, OPENAI_COMPATIBLE -> "open-ai";
                    case OLLAMA -> "ollama";
                };
    }

    /** Returns the name of the class of that model, which may be absent. */
    String modelClass() {
        return modelClass;
    }

    /** Returns the provider's base URL, unless its variable or the builder sets another. */
    Optional<String> defaultUrl() {
        return given(defaultUrl);
    }

    /**
     * Returns the variable that overrides the base URL; the provider's own programs read the same
     * one.
     */
    Optional<String> urlVariable() {
        return given(urlVariable);
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
