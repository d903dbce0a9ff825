package dev.paddock.harness.langchain4j;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the library's models of the providers. Each provider has a class of its own, since a
 * program brings the artifacts of the providers that it uses: the others' classes cannot be loaded.
 */
final class ProviderModels {
    private ProviderModels() {}

    /** The user's choices. */
    record Settings(
            Provider provider, String name, String url, Optional<ApiKey> key, Optional<Integer> maxOutputTokens) {}

    static StreamingChatModel create(Settings settings, HttpClientBuilder client) {
        return switch (settings.provider()) {
            case ANTHROPIC -> Anthropic.create(settings, client);
            case OPENAI, OPENAI_COMPATIBLE -> OpenAi.create(settings, client);
            case OLLAMA -> Ollama.create(settings, client);
        };
    }

    private static final class Anthropic {
        private static final int OUTPUT_TOKENS = 16_384;

        private Anthropic() {}

        static StreamingChatModel create(Settings settings, HttpClientBuilder client) {
            return AnthropicStreamingChatModel.builder()
                    .httpClientBuilder(client)
                    .baseUrl(settings.url())
                    .apiKey(settings.key().map(ApiKey::secret).orElse(""))
                    .modelName(settings.name())
                    .maxTokens(settings.maxOutputTokens().orElse(OUTPUT_TOKENS))
                    // Both are the same in every turn of a session.
                    .cacheSystemMessages(true)
                    .cacheTools(true)
                    .build();
        }
    }

    private static final class OpenAi {
        private OpenAi() {}

        static StreamingChatModel create(Settings settings, HttpClientBuilder client) {
            OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder builder = OpenAiStreamingChatModel.builder()
                    .httpClientBuilder(client)
                    .baseUrl(settings.url())
                    .modelName(settings.name())
                    .returnThinking(true);
            settings.key().ifPresent(one -> builder.apiKey(one.secret()));
            // Providers other than OpenAI support only the limit's old name.
            settings.maxOutputTokens()
                    .ifPresent(
                            settings.provider() == Provider.OPENAI ? builder::maxCompletionTokens : builder::maxTokens);
            return builder.build();
        }
    }

    private static final class Ollama {
        private Ollama() {}

        static StreamingChatModel create(Settings settings, HttpClientBuilder client) {
            OllamaStreamingChatModel.OllamaStreamingChatModelBuilder builder = OllamaStreamingChatModel.builder()
                    .httpClientBuilder(client)
                    .baseUrl(settings.url())
                    .modelName(settings.name());
            builder.returnThinking(true);
            settings.key().ifPresent(one -> builder.customHeaders(Map.of("Authorization", "Bearer " + one.secret())));
            settings.maxOutputTokens().ifPresent(builder::numPredict);
            return builder.build();
        }
    }
}
