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
 * Receives the library's callbacks for one attempt at a turn. The attempt is over as soon as the
 * turn is complete, has failed, or is no longer wanted; later callbacks are ignored.
 */
final class Attempt implements StreamingChatResponseHandler {
    private final ModelListener listener;
    private final CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
    private volatile Optional<StreamingHandle> stream = Optional.empty();
    private volatile long heardAt = System.nanoTime();

    Attempt(ModelListener listener) {
        this.listener = listener;
    }

    /** Reports that no data arrived for too long. */
    static final class SilenceException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** Records that data arrived, even if only a keep-alive. */
    void heard() {
        heardAt = System.nanoTime();
    }

    /** Ends the attempt with a failure. */
    synchronized void fail(Throwable fault) {
        answer.completeExceptionally(fault);
    }

    boolean isOver() {
        return answer.isDone();
    }

    /**
     * Waits until the attempt is over.
     *
     * @throws SilenceException if no data arrives for the given patience
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

    /** Cancels the library's stream, if its handle has been received. */
    void cancel() {
        stream.ifPresent(StreamingHandle::cancel);
    }

    private void heard(StreamingHandle handle) {
        heard();
        keep(handle);
    }

    /**
     * Stores the handle of the library's stream, which arrives with the data; immediately cancels one
     * that arrives after the attempt is over.
     */
    void keep(StreamingHandle handle) {
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
    public synchronized void onPartialThinking(PartialThinking part) {
        heard();
        if (!answer.isDone() && part.text() != null) {
            listener.onThought(part.text());
        }
    }

    @Override
    public void onPartialThinking(PartialThinking part, PartialThinkingContext context) {
        heard(context.streamingHandle());
        onPartialThinking(part);
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
