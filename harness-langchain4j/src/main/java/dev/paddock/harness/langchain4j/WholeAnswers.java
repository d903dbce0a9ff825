package dev.paddock.harness.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.paddock.harness.tools.threads.HarnessThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/**
 * Adapts a model that blocks until its answer is complete to a streaming one, for one
 * attempt. The model is called on its own thread, which is interrupted when the answer is no
 * longer wanted.
 */
record WholeAnswers(ChatModel model, Attempt attempt) implements StreamingChatModel {
    private static final Executor THREADS = HarnessThreads.perTask("paddock-chat-model");

    @Override
    public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
        FutureTask<Void> call = new FutureTask<>(() -> answer(request, handler), null);
        attempt.keep(new Handle(call));
        THREADS.execute(call);
    }

    private void answer(ChatRequest request, StreamingChatResponseHandler handler) {
        try {
            ChatResponse response = model.chat(request);
            String thoughts = response.aiMessage().thinking();
            if (thoughts != null && !thoughts.isEmpty()) {
                handler.onPartialThinking(new PartialThinking(thoughts));
            }
            String text = response.aiMessage().text();
            if (text != null && !text.isEmpty()) {
                handler.onPartialResponse(text);
            }
            handler.onCompleteResponse(response);
        } catch (Throwable fault) {
            // Otherwise it would be lost with the thread, and the turn would wait for it.
            handler.onError(fault);
        }
    }

    private record Handle(FutureTask<Void> call) implements StreamingHandle {
        @Override
        public void cancel() {
            call.cancel(true);
        }

        @Override
        public boolean isCancelled() {
            return call.isCancelled();
        }
    }
}
