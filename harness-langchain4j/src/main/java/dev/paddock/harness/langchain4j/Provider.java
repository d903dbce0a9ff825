package dev.paddock.harness.langchain4j;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who offers models, and in which protocol. */
public enum Provider {
    /** Anthropic's messages. The key is in {@code ANTHROPIC_API_KEY}. */
    ANTHROPIC("anthropic", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
    /** OpenAI's chat completions. The key is in {@code OPENAI_API_KEY}. */
    OPENAI("openai", "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    /** Ollama's chat, without a key. */
    OLLAMA("ollama", "http://localhost:11434", "OLLAMA_HOST", ""),
    /** Whatever speaks OpenAI's chat completions, at an address that has to be given; with a key only if its variable is named. */
    OPENAI_COMPATIBLE("openai-compatible", "", "", "");

    private final String label;
    private final String defaultUrl;
    private final String urlVariable;
    private final String keyVariable;

    Provider(String label, String defaultUrl, String urlVariable, String keyVariable) {
        this.label = label;
        this.defaultUrl = defaultUrl;
        this.urlVariable = urlVariable;
        this.keyVariable = keyVariable;
    }

    /**
     * The provider of a name.
     *
     * @param label a name as {@link #label} gives it
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
     * The provider's name on a command line.
     *
     * @return a word in small letters
     */
    public String label() {
        return label;
    }

    /**
     * The environment variable that a key is looked for in, unless another is named.
     *
     * @return its name; empty if no key is wanted
     */
    public Optional<String> keyVariable() {
        return given(keyVariable);
    }

    /** Where the provider is, unless that is told otherwise. */
    Optional<String> defaultUrl() {
        return given(defaultUrl);
    }

    /** The variable that tells otherwise; the provider's own programs heed the same. */
    Optional<String> urlVariable() {
        return given(urlVariable);
    }

    private static Optional<String> given(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
