package dev.paddock.harness.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.model.ModelListener;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One attempt at a turn: hears what the library tells of it, and is over as soon as the turn is complete, has failed, or is not
 * wanted any more. What is told after that goes unheard.
 */
final class Attempt implements StreamingChatResponseHandler {
    private final ModelListener listener;
    private final CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
    private volatile Optional<StreamingHandle> stream = Optional.empty();
    private volatile long heardAt = System.nanoTime();

    Attempt(ModelListener listener) {
        this.listener = listener;
    }

    /** Nothing has been heard for too long. */
    static final class SilenceException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Something came in, and be it a sign of life. */
    void heard() {
        heardAt = System.nanoTime();
    }

    /** Ends the attempt: a failure. */
    synchronized void fail(Throwable fault) {
        answer.completeExceptionally(fault);
    }

    boolean isOver() {
        return answer.isDone();
    }

    /**
     * Waits for the end.
     *
     * @throws SilenceException if nothing is heard for so long
     * @throws ExecutionException if the attempt failed
     */
    ChatResponse await(Duration patience, AbortSignal signal) throws SilenceException, ExecutionException {
        AbortSignal.Registration registration = signal.onAbort(() -> fail(new IllegalStateException("aborted")));
        try {
            while (true) {
                long left = heardAt + patience.toNanos() - System.nanoTime();
                try {
                    return answer.get(left, TimeUnit.NANOSECONDS);
                } catch (TimeoutException notYet) {
                    if (left <= 0) {
                        throw new SilenceException();
                    }
                }
            }
        } catch (InterruptedException sessionEnds) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(sessionEnds);
        } finally {
            registration.close();
            fail(new IllegalStateException("not wanted any more"));
        }
    }

    /** Has the library let go of the stream, if it has got one. */
    void cancel() {
        stream.ifPresent(StreamingHandle::cancel);
    }

    /** The handle comes with what is heard; one that comes too late is used at once. */
    private void heard(StreamingHandle handle) {
        heard();
        if (stream.isEmpty()) {
            stream = Optional.of(handle);
        }
        if (answer.isDone() && !handle.isCancelled()) {
            handle.cancel();
        }
    }

    @Override
    public synchronized void onPartialResponse(String text) {
        heard();
        if (!answer.isDone()) {
            listener.onText(text);
        }
    }

    @Override
    public void onPartialResponse(PartialResponse part, PartialResponseContext context) {
        heard(context.streamingHandle());
        onPartialResponse(part.text());
    }

    @Override
    public void onPartialThinking(PartialThinking part) {
        heard();
    }

    @Override
    public void onPartialThinking(PartialThinking part, PartialThinkingContext context) {
        heard(context.streamingHandle());
    }

    @Override
    public void onPartialToolCall(PartialToolCall part) {
        heard();
    }

    @Override
    public void onPartialToolCall(PartialToolCall part, PartialToolCallContext context) {
        heard(context.streamingHandle());
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall call) {
        heard();
    }

    @Override
    public void onUnmappedRawEvent(Object event) {
        heard();
    }

    @Override
    public synchronized void onCompleteResponse(ChatResponse response) {
        answer.complete(response);
    }

    @Override
    public void onError(Throwable fault) {
        fail(fault);
    }
}
