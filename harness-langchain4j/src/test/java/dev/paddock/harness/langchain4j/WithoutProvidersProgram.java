package dev.paddock.harness.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelRequest;
import java.util.List;

/**
 * Prints the answer of a model of its own, then, for each provider, what becomes of a model of the
 * provider at an address without a server.
 */
final class WithoutProvidersProgram {
    private WithoutProvidersProgram() {}

    public static void main(String[] arguments) {
        ModelRequest request =
                ModelRequest.builder(List.of(new Message.User("Go"))).build();
        ChatModel own = new ChatModel() {
            @Override
            public ChatResponse doChat(ChatRequest question) {
                return ChatResponse.builder()
                        .aiMessage(AiMessage.from("an answer of my own"))
                        .finishReason(FinishReason.STOP)
                        .build();
            }
        };
        System.out.println(
                LangChain4jModel.over(own).respond(request, text -> {}).text());
        for (Provider provider : Provider.values()) {
            System.out.println(provider.label() + ": " + attempt(provider, request));
        }
    }

    private static String attempt(Provider provider, ModelRequest request) {
        try {
            LangChain4jModel model = LangChain4jModel.of(provider, "test-model")
                    .baseUrl("http://localhost:1")
                    .keyVariable("PATH")
                    .retries(0)
                    .build();
            return model.respond(request, text -> {}).text();
        } catch (ModelException fault) {
            return String.valueOf(fault.kind());
        } catch (IllegalStateException absent) {
            return String.valueOf(absent.getMessage());
        }
    }
}
